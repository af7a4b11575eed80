export { forgetCustomer } from './forget-customer/forget-customer';
export { payerSubject } from './forget-customer/payer-subject';
export { fraudContext } from './fraud.context';
