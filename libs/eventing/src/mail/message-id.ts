import { createHash } from 'node:crypto';

const DIGITS = 40;

/** The Message-ID of the mail with that id, under our own host: whatever the id holds, it fits into a header. */
export const messageIdOf = (mail_id: string, host: string): string =>
  `<${createHash('sha256').update(mail_id).digest('hex').slice(0, DIGITS)}@${host}>`;
