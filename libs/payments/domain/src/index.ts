export * from './checkout';
export * from './decide-checkout';
export * from './decide-payment';
export * from './payment';
export * from './payment-uri';
export * from './price';
export * from './receipt';
export * from './signature-claim';
