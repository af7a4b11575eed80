export * from './webhook-dispatcher.context';
export * from './webhook-dispatcher.module';
export { senderOf, workers } from './webhook-dispatcher-workers';
export { WebhookSender } from './send-deliveries/webhook-sender.worker';
