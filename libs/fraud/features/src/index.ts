export { fraudContext } from './fraud.context';
