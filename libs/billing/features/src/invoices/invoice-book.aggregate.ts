import { invoiceBookDecider, type BookName } from '@tender/billing-domain';
import { aggregate } from '@tender/eventing';
import { MODES } from '@tender/kernel';

/** By `bookId`. Its first number is appended where no other writer has been faster, like any. */
export const invoiceBook = aggregate({
  noun: 'invoicebook',
  modes: MODES,
  decider: invoiceBookDecider,
  begins: [],
});

export const bookId = ({ merchant_id, year, book }: BookName): string =>
  `${merchant_id}:${year}:${book}`;
