export * from './refund';
export * from './dispute';
export * from './payment-case';
