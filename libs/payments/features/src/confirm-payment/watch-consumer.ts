/**
 * Credits and the close of a watch come under one key, and in order (settled 2). One consumer hears both:
 * with two, each with its own checkpoint, a close could overtake the credit that was on time.
 */
export const WATCH_CONSUMER = 'payments.follow-watch';
