import { commandHandler, streamName, type Runtime, type StreamName } from '@tender/eventing';
import type { Mode } from '@tender/kernel';
import { paymentDecider } from '@tender/payments-domain';

export const paymentStream = (mode: Mode, payment_id: string): StreamName =>
  streamName('payment', mode, payment_id);

export const paymentHandler = ({ eventStore, clock, random }: Runtime) =>
  commandHandler({
    store: eventStore,
    clock,
    random,
    decider: paymentDecider,
    begins: (command) => command.type === 'CreatePayment',
  });

export type HandlePayment = ReturnType<typeof paymentHandler>;
