export * from './banner';
export * from './demo-merchant';
export * from './demo-trial';
