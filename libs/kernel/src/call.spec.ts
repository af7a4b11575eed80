import { call, commandCall } from './call';

interface Order {
  readonly id: string;
  readonly amount?: number;
  readonly lines: readonly { readonly note: string | null }[];
  readonly metadata: Record<string, unknown>;
}

test('a question of plain JSON waits 800 ms for any replica; a command for the leader', () => {
  expect(call<Order, Order | null>('orders.read')).toEqual({
    ...{ name: 'orders.read', deadline_ms: 800, answered_by: 'any', gathered: false, changes: false },
  });
  expect(commandCall<Order, { readonly placed: true }, never>('orders.place')).toEqual({
    ...{ name: 'orders.place', deadline_ms: 800, answered_by: 'leader', gathered: false, changes: true },
  });
});

// What the compiler refuses, because another process would be told something else; nothing of it runs.
export const refused = () => [
  // @ts-expect-error a date is no JSON
  call<{ readonly at: Date }, null>('orders.read'),
  // @ts-expect-error nor is a bigint, however deep
  call<{ readonly lines: readonly { readonly amount: bigint | null }[] }, null>('orders.read'),
  // @ts-expect-error nor is it in an answer
  call<null, { readonly amount: bigint }>('orders.read'),
  // @ts-expect-error nor a map
  call<null, { readonly by_id: ReadonlyMap<string, Order> }>('orders.read'),
  // @ts-expect-error nor bytes
  commandCall<{ readonly bytes: Uint8Array }, null, never>('orders.place'),
];
