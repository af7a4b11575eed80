import { commandHandler, streamName, type Runtime, type StreamName } from '@tender/eventing';
import type { Mode } from '@tender/kernel';
import { paymentDecider } from '@tender/payments-domain';

export const paymentStream = (mode: Mode, payment_id: string): StreamName =>
  streamName('payment', mode, payment_id);

const PAYMENT_ID = /^pay_(test|live)_[0-9A-Za-z]{22}$/;

/** The mode that a payment’s id names; null for a text that is no such id. */
export const modeOfPaymentId = (text: string): Mode | null =>
  (PAYMENT_ID.exec(text)?.[1] as Mode | undefined) ?? null;

export const paymentHandler = ({ eventStore, clock, random }: Runtime) =>
  commandHandler({
    store: eventStore,
    clock,
    random,
    decider: paymentDecider,
    begins: (command) => command.type === 'CreatePayment',
  });

export type HandlePayment = ReturnType<typeof paymentHandler>;
