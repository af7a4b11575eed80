export { refundsDisputesContext } from './refunds-disputes.context';
