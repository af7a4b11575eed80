export { webhookDispatcherContext } from './webhook-dispatcher.context';
