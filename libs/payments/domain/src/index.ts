export * from './decide-payment';
export * from './payment';
export * from './payment-uri';
export * from './price';
export * from './receipt';
