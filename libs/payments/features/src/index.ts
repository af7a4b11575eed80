export { paymentsContext } from './payments.context';
