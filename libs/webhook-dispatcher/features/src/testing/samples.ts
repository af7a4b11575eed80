import path from 'node:path';
import { sampleOf } from '@tender/contracts/testing';
import { Dispatcher } from './dispatcher';
import { Receiver, type Received } from './receiver';

/** The page whose samples are tested. */
export const PAGE = path.resolve(__dirname, '../../../../../docs/verify-webhooks.md');

/** The sample of the page in that language. */
export const sampleIn = (language: string): string => sampleOf(PAGE, language);

/** A delivery as the dispatcher sent it, or with one thing changed; and whether a receiver may believe it. */
export interface Case {
  readonly name: string;
  /** Base64. */
  readonly body: string;
  /** The header `X-Svc-Signature`; null: there is no such header. */
  readonly signature: string | null;
  /** In its place, those of Standard Webhooks. */
  readonly standard?: Readonly<Record<string, string>>;
  readonly secret: string;
  /** Unix seconds; null: the clock's. */
  readonly now: number | null;
  readonly genuine: boolean;
}

export interface Recorded {
  readonly delivery: Received;
  /** Newest first: both sign it. */
  readonly secrets: readonly [string, string];
}

let recorded: Promise<Recorded> | null = null;

/** One for all tests of a file: a real delivery, while the secret is being replaced. Its bytes hold more than ASCII. */
export const recordDelivery = (): Promise<Recorded> => (recorded ??= record());

async function record(): Promise<Recorded> {
  const [dispatcher, receiver] = await Promise.all([Dispatcher.start(), Receiver.start()]);
  try {
    const old = await dispatcher.configure('m1', receiver.url);
    const fresh = await dispatcher.configure('m1', receiver.url);
    await dispatcher.plan(dispatcher.paymentEvent('m1', 'pay_test_1', { description: 'Café ☕ \u2028' }));
    await dispatcher.sender.idle();
    const [delivery] = receiver.received as [Received];
    return { delivery, secrets: [fresh, old] };
  } finally {
    await dispatcher.stop();
    await receiver.stop();
    await Dispatcher.stopServer();
  }
}

/** What every sample must believe, and what it must refuse, by either family of headers. */
export const casesOf = (recorded: Recorded): readonly Case[] => [
  ...ownCases(recorded),
  ...standardCases(recorded),
];

function standardCases({ delivery, secrets: [fresh, old] }: Recorded): readonly Case[] {
  const { headers, bytes } = delivery;
  const [id, timestamp, signature] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(
    (name) => String(headers[name]),
  ) as [string, string, string];
  const whole = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature };
  const [of_fresh] = signature.split(' ') as [string];
  const t = Number(timestamp);
  const sent = { body: bytes.toString('base64'), signature: null, secret: fresh, now: t };
  const given = (genuine: boolean, name: string, changes: Partial<Case>): Case => ({
    ...{ ...sent, genuine, name: `${name}, by the headers of Standard Webhooks`, standard: whole },
    ...changes,
  });
  const with_headers = (changes: Readonly<Record<string, string>>) => ({
    standard: { ...whole, ...changes },
  });
  return [
    given(true, 'as it came, by the clock', { now: null }),
    given(true, 'with the secret that is being replaced', { secret: old }),
    given(true, 'with one signature', with_headers({ 'webhook-signature': of_fresh })),
    given(true, '300 s old', { now: t + 300 }),
    given(true, '60 s ahead', { now: t - 60 }),
    given(false, '301 s old', { now: t + 301 }),
    given(false, '61 s ahead', { now: t - 61 }),
    given(false, 'with one byte more', {
      body: Buffer.concat([bytes, Buffer.from('\n')]).toString('base64'),
    }),
    given(false, 'with another id', with_headers({ 'webhook-id': `${id}x` })),
    given(false, 'with another time', with_headers({ 'webhook-timestamp': String(t + 1) })),
    given(false, 'with another secret', { secret: `whsec_${Buffer.alloc(32).toString('base64')}` }),
    given(false, 'with half a signature', with_headers({ 'webhook-signature': of_fresh.slice(0, 20) })),
    given(false, 'with a signature that is no ASCII', with_headers({ 'webhook-signature': 'v1,é' })),
    given(false, 'with a time that is no number', with_headers({ 'webhook-timestamp': 'now' })),
    given(false, 'without its headers', { standard: {} }),
  ];
}

function ownCases({ delivery, secrets: [fresh, old] }: Recorded): readonly Case[] {
  const { bytes } = delivery;
  const signature = String(delivery.headers['x-svc-signature']);
  const [time, of_fresh] = signature.split(',') as [string, string];
  const t = Number(time.slice(2));
  const sent = { body: bytes.toString('base64'), signature, secret: fresh, now: t };
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const believed = (name: string, changes: Partial<Case> = {}): Case => ({
    ...sent,
    ...{ name, genuine: true },
    ...changes,
  });
  const refused = (name: string, changes: Partial<Case>): Case => ({
    ...believed(name, changes),
    genuine: false,
  });
  const other_event = delivery.body.replace('PaymentCreated', 'PaymentConfirmed');
  const written_again = JSON.stringify(JSON.parse(delivery.body), null, 1);
  return [
    believed('as it came, by the clock', { now: null }),
    believed('with the secret that is being replaced', { secret: old }),
    believed('with one signature', { signature: `${time},${of_fresh}` }),
    believed('300 s old', { now: t + 300 }),
    believed('60 s ahead', { now: t - 60 }),
    refused('301 s old', { now: t + 301 }),
    refused('61 s ahead', { now: t - 61 }),
    refused('with another body', { body: base64(other_event) }),
    refused('with the body parsed and written again', { body: base64(written_again) }),
    refused('with one byte more', { body: base64(`${delivery.body}\n`) }),
    refused('with another time', { signature: signature.replace(time, `t=${t + 1}`) }),
    refused('with another secret', { secret: `whsec_${Buffer.alloc(32).toString('base64')}` }),
    refused('with the secret without its prefix', { secret: fresh.replace('whsec_', '') }),
    refused('with half a signature', { signature: `${time},${of_fresh.slice(0, 35)}` }),
    refused('with the signature of another body', { signature: `${time},v1=${'0'.repeat(64)}` }),
    refused('with a signature that is no ASCII', { signature: `${time},v1=é` }),
    refused('without a signature', { signature: time }),
    refused('without a time', { signature: of_fresh }),
    refused('with a time that is no number', { signature: `t=now,${of_fresh}` }),
    refused('with a time that no clock has', { signature: `t=${'9'.repeat(5000)},${of_fresh}` }),
    refused('with nothing', { signature: '' }),
    refused('without the header', { signature: null }),
  ];
}

/** Compares what a sample says of every case with what is true of it. */
export async function testSample(
  judge: (cases: readonly Case[]) => readonly boolean[],
): Promise<void> {
  const cases = casesOf(await recordDelivery());
  const judged = judge(cases);
  expect(judged.map((genuine, index) => [cases[index]?.name, genuine])).toEqual(
    cases.map(({ name, genuine }) => [name, genuine]),
  );
}
