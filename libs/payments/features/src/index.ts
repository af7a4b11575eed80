export { paymentsContext } from './payments.context';
export { PaymentsModule } from './payments.module';
export { PAYMENT_SETTINGS, type PaymentSettings } from './settings';
