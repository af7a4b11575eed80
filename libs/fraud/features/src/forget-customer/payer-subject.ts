/** Under whose key the address of a flag is sealed where it is not known yet who the customer of the payment is. */
export const payerSubject = (payment_id: string): string => `payer-${payment_id}`;
