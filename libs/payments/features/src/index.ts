export { customerSubject } from './create-payment/customer-subject';
export { paymentsContext } from './payments.context';
