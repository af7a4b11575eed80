export * from './described-mail';
export * from './escaped';
export { RETRY_WAITS_MS, type Describe } from './queue/attempt-mail';
export * from './queue/forget-mails.worker';
export * from './queue/mail-sender.worker';
export {
  mailsTable,
  queueMails,
  type Dropped,
  type MailTable,
  type QueuedMail,
} from './queue/queued-mail.record';
export * from './queue/watch-mails';
export * from './render-mail';
