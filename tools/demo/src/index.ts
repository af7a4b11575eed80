export * from './banner';
export * from './demo-merchant';
