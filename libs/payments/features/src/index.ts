export { paymentsOfCustomer } from './customers/payments-of-customer';
export { paymentsContext } from './payments.context';
