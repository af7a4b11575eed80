export { checkoutContext } from './checkout.context';
