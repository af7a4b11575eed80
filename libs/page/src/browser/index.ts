export * from './ask';
export * from './copied';
export * from './store';
export * from '../language';
