import 'reflect-metadata';
import { creditAllocated, paymentCreated, paymentFailed } from '@tender/contracts';
import { PATTERN_EXTRAS_METADATA, PATTERN_METADATA } from '@nestjs/microservices/constants';
import type { PublicEvent } from '@tender/eventing';
import { Reacts, type Delivery, type Heard } from './reacts';

class Reactors {
  @Reacts('notes.write', [paymentCreated, paymentFailed])
  async write(batch: readonly Heard<typeof paymentCreated | typeof paymentFailed>[], _: Delivery) {
    return batch.map(({ data }) => data.payment.id);
  }

  @Reacts('notes.count', [paymentCreated, creditAllocated], { mixed: true })
  async count(batch: readonly PublicEvent[]) {
    return batch.length;
  }
}

test('a reactor hears the types of its facts, as its consumer', () => {
  const { write } = Reactors.prototype;
  expect(Reflect.getMetadata(PATTERN_METADATA, write)).toEqual([
    'notes.write:payments.payment-created.v1',
    'notes.write:payments.payment-failed.v1',
  ]);
  expect(Reflect.getMetadata(PATTERN_EXTRAS_METADATA, write)).toEqual({ consumer: 'notes.write', mixed: [] });
});

test('one that takes them mixed says which they are', () => {
  const { count } = Reactors.prototype;
  expect(Reflect.getMetadata(PATTERN_EXTRAS_METADATA, count)).toEqual({
    consumer: 'notes.count',
    mixed: ['payments.payment-created.v1', creditAllocated.type],
  });
});

// What the compiler refuses.
export class Refused {
  // @ts-expect-error a credit is no payment
  @Reacts('notes.write', [creditAllocated])
  async wrong(batch: readonly Heard<typeof paymentCreated>[]) {
    return batch;
  }

  // @ts-expect-error of two facts, it takes one only
  @Reacts('notes.write', [paymentCreated, creditAllocated])
  async partly(batch: readonly Heard<typeof paymentCreated>[]) {
    return batch;
  }
}
