export { webhookDispatcherContext } from './webhook-dispatcher.context';
export { verifySignature } from './verify-signature/verify-signature';
