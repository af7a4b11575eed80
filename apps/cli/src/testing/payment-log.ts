import { readFileSync } from 'node:fs';
import path from 'node:path';
import { postgresEventStore } from '@tender/adapter-postgres';
import type { Sql } from '@tender/eventing';
import { silentLog, systemClock } from '@tender/adapter-postgres/testing';

const RECORDED = path.resolve(
  __dirname,
  '../../../../libs/payments/domain/src/recorded/payment-v1.json',
);
const RECORDED_ID = 'pay_test_0000000000000000000042';
const TYPES = ['PaymentCreated', 'PaymentConfirmed', 'PaymentSettled'] as const;
/** Payments that are made between one event of a payment and its next. */
const BETWEEN = 1_000;

/** A log of payments as the product has written them, three events each, made by the database. */
export async function writePaymentLog(
  sql: Sql,
  connectionString: string,
  payments: number,
): Promise<void> {
  const store = postgresEventStore({ connectionString, clock: systemClock, log: silentLog });
  await store.start();
  await store.close();
  const recorded = JSON.parse(readFileSync(RECORDED, 'utf8')) as Record<string, { data: object }>;
  await sql.query(
    `insert into log.events
      select (n + step * ${BETWEEN}) * 3 + step, 'payment.test-pay_test_' || n, 'payment.test', step,
        gen_random_uuid(), ($1::text[])[step + 1],
        replace(($2::text[])[step + 1], '${RECORDED_ID}', 'pay_test_' || n)::json,
        json_build_object('id', n, 'mode', 'test', 'recorded_at', '2026-01-01T00:00:00.000Z',
          'occurred_at', '2026-01-01T00:00:00.000Z')
      from generate_series(1, ${payments}) as n, generate_series(0, 2) as step`,
    [TYPES, TYPES.map((type) => JSON.stringify(recorded[type]?.data))],
  );
  await sql.query('analyze log.events');
}
