/**
 * Credits and the close of a watch come under one key, and in order (C3). One consumer hears both:
 * of two, each with its own checkpoint, one could hear the close before the other hears a credit that was on time.
 */
export const WATCH_CONSUMER = 'payments.follow-watch';
