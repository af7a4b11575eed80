export { billingContext } from './billing.context';
