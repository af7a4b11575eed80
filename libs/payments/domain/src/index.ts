export * from './decide-payment';
export * from './look-up-sentence';
export * from './payment';
export * from './payment-sentences';
export * from './payment-uri';
export * from './price';
export * from './receipt';
export * from './receipt-sentences';
