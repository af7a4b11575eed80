export * from './refund';
export * from './refundable';
export * from './dispute';
export * from './payment-case';
export * from './decide-refund';
export * from './decide-dispute';
export * from './decide-payment-case';
