export { RETRY_WAITS_MS, type Describe } from './attempt-mail';
export * from './forget-mails.worker';
export * from './mail-sender.worker';
export {
  mailsTable,
  queueMails,
  type Dropped,
  type MailTable,
  type QueuedMail,
} from './queued-mail.record';
export * from './watch-mails';
