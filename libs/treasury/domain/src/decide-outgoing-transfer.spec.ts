import { decide, type CommandOf } from '@tender/kernel';
import fc from 'fast-check';
import { outgoingTransferDecider } from './decide-outgoing-transfer';
import {
  hasEnded,
  openAttempt,
  type DropProof,
  type OutgoingTransfer,
  type OutgoingTransferEvent,
  type SignedTransfer,
  type TransferTerms,
} from './outgoing-transfer';
import history from './recorded/outgoing-transfer-v1.json';

type Command = CommandOf<typeof outgoingTransferDecider>;

const transfer: TransferTerms = {
  transfer_id: 'rf_test_1',
  mode: 'test',
  type: 'refund',
  merchant_id: 'm1',
  from: 'wallet',
  to: 'ada',
  asset: 'USDC',
  amount: '10000000',
  credit: 'paid-1',
};
const signedAs = (signature: string): SignedTransfer => ({
  transaction: `bytes of ${signature}`,
  signature,
  recent_blockhash: 'b1',
  last_valid_block_height: 150,
});
const proof: DropProof = { error: null, finalized_block_height: 151, nodes: 2 };

const requested: OutgoingTransferEvent = { type: 'TransferRequested', data: { transfer } };
const signed = (signature: string): OutgoingTransferEvent => ({
  type: 'TransferSigned',
  data: { transfer, signed: signedAs(signature) },
});
const dropped = (signature: string): OutgoingTransferEvent => ({
  type: 'TransferDropped',
  data: { transfer_id: transfer.transfer_id, signature, proof },
});
const completed = (signature: string): OutgoingTransferEvent => ({
  type: 'TransferCompleted',
  data: { transfer, signature, slot: 7 },
});
const failed = (signature: string | null): OutgoingTransferEvent => ({
  type: 'TransferFailed',
  data: { transfer, reason: 'insufficient_balance', signature },
});
const reclaimed: OutgoingTransferEvent = {
  type: 'MarkerReclaimed',
  data: { transfer_id: transfer.transfer_id },
};
const after = (...events: OutgoingTransferEvent[]): OutgoingTransfer =>
  events.reduce(outgoingTransferDecider.evolve, outgoingTransferDecider.initial);

const states: Record<string, OutgoingTransfer> = {
  unknown: after(),
  pending: after(requested),
  'in flight': after(requested, signed('s1')),
  dropped: after(requested, signed('s1'), dropped('s1')),
  'in flight again': after(requested, signed('s1'), dropped('s1'), signed('s2')),
  completed: after(requested, signed('s1'), completed('s1')),
  failed: after(requested, failed(null)),
  'failed on chain': after(requested, signed('s1'), failed('s1')),
  reclaimed: after(requested, signed('s1'), completed('s1'), reclaimed),
};

const commands: Record<string, Command> = {
  request: { type: 'RequestTransfer', transfer },
  'sign s1': { type: 'SignTransfer', signed: signedAs('s1') },
  'sign s3': { type: 'SignTransfer', signed: signedAs('s3') },
  'drop s1': { type: 'DropTransaction', signature: 's1', proof },
  'complete s1': { type: 'CompleteTransfer', signature: 's1', slot: 7 },
  'complete s3': { type: 'CompleteTransfer', signature: 's3', slot: 7 },
  fail: { type: 'FailTransfer', reason: 'insufficient_balance', signature: null },
  'fail by s1': { type: 'FailTransfer', reason: 'insufficient_balance', signature: 's1' },
  reclaim: { type: 'ReclaimMarker' },
};
const NAMES = Object.keys(commands);

/** The event, or the refusal; '-': nothing happens. In the order of the commands. */
const TABLE: Record<string, readonly string[]> = {
  unknown: ['TransferRequested', ...Array<string>(8).fill('transfer_unknown')],
  pending: [
    ...['-', 'TransferSigned', 'TransferSigned', '-', 'not_signed', 'not_signed'],
    ...['TransferFailed', 'transaction_in_flight', 'transfer_not_completed'],
  ],
  'in flight': [
    ...['-', '-', 'transaction_in_flight', 'TransferDropped', 'TransferCompleted', 'not_signed'],
    ...['transaction_in_flight', 'TransferFailed', 'transfer_not_completed'],
  ],
  dropped: [
    ...['-', '-', 'TransferSigned', '-', 'TransferCompleted', 'not_signed'],
    ...['TransferFailed', 'transaction_in_flight', 'transfer_not_completed'],
  ],
  'in flight again': [
    ...['-', '-', 'transaction_in_flight', '-', 'TransferCompleted', 'not_signed'],
    ...['transaction_in_flight', 'transaction_in_flight', 'transfer_not_completed'],
  ],
  completed: [
    ...['-', '-', 'transfer_ended', '-', '-', 'not_signed'],
    ...['transfer_ended', 'transfer_ended', 'MarkerReclaimed'],
  ],
  failed: [
    ...['-', 'transfer_ended', 'transfer_ended', '-', 'not_signed', 'not_signed'],
    ...['-', '-', 'transfer_not_completed'],
  ],
  'failed on chain': [
    ...['-', '-', 'transfer_ended', '-', 'transfer_ended', 'not_signed'],
    ...['-', '-', 'transfer_not_completed'],
  ],
  reclaimed: ['-', '-', 'transfer_ended', '-', '-', 'not_signed', 'transfer_ended', 'transfer_ended', '-'],
};

const outcomeOf = (command: Command, state: OutgoingTransfer): string => {
  const decision = decide(outgoingTransferDecider, command, state);
  return decision.ok ? (decision.events[0]?.type ?? '-') : decision.refusal;
};

test.each(Object.keys(TABLE))('%s: what each command does', (name) => {
  const state = states[name] as OutgoingTransfer;
  const outcomes = NAMES.map((command) => outcomeOf(commands[command] as Command, state));
  expect(Object.fromEntries(NAMES.map((one, index) => [one, outcomes[index]]))).toEqual(
    Object.fromEntries(NAMES.map((one, index) => [one, TABLE[name]?.[index]])),
  );
});

test('a request of the same id with other terms is another transfer', () => {
  const asked = (changes: Partial<TransferTerms>, at = transfer) =>
    outcomeOf({ type: 'RequestTransfer', transfer: { ...at, ...changes } }, after(requested));
  for (const changes of [{ amount: '1' }, { asset: 'USDT' }, { to: 'eve' }, { credit: null }] as const) {
    expect(asked(changes)).toBe('transfer_differs');
  }
  // Which wallet pays, and where a settlement goes, is the merchant’s: what it was at first counts.
  expect(asked({ from: 'other' })).toBe('-');
  const settlement = { ...transfer, type: 'settlement', credit: null } as const;
  const made = after({ type: 'TransferRequested', data: { transfer: settlement } });
  const again: Command = { type: 'RequestTransfer', transfer: { ...settlement, to: 'new' } };
  expect(outcomeOf(again, made)).toBe('-');
});

test('what is known of it shows the transaction that decided, and why it failed', () => {
  expect(after(requested, signed('s1'), dropped('s1'), signed('s2'), completed('s1'))).toMatchObject({
    ...{ status: 'completed', signature: 's1' },
  });
  expect(states['failed on chain']).toMatchObject({
    ...{ status: 'failed', signature: 's1', failure_reason: 'insufficient_balance' },
    attempts: [{ may_land: false }],
  });
});

const SIGNATURES = ['s1', 's2', 's3'];
const anySignature = fc.constantFrom(...SIGNATURES);
const anyCommand: fc.Arbitrary<Command> = fc.oneof(
  fc.constant(commands['request'] as Command),
  fc.constant(commands['reclaim'] as Command),
  anySignature.map((one): Command => ({ type: 'SignTransfer', signed: signedAs(one) })),
  anySignature.map((signature): Command => ({ type: 'DropTransaction', signature, proof })),
  anySignature.map((signature): Command => ({ type: 'CompleteTransfer', signature, slot: 1 })),
  fc
    .option(anySignature)
    .map((signature): Command => ({ type: 'FailTransfer', reason: 'destination_invalid', signature })),
);

test('whatever is asked in any order: it ends once, one transaction at most may land, and none when it has failed', () => {
  fc.assert(
    fc.property(fc.array(anyCommand, { maxLength: 30 }), (asked) => {
      let state: OutgoingTransfer = after(requested);
      const events: OutgoingTransferEvent[] = [];
      for (const command of asked) {
        const decision = decide(outgoingTransferDecider, command, state);
        if (!decision.ok) continue;
        events.push(...decision.events);
        state = decision.events.reduce(outgoingTransferDecider.evolve, state);
        if (state.status === 'unknown') throw new Error('it was requested');
        expect(state.attempts.filter(({ may_land }) => may_land).length).toBeLessThanOrEqual(1);
        if (state.status === 'failed') expect(openAttempt(state)).toBeNull();
      }
      const ends = events.filter(({ type }) => type === 'TransferCompleted' || type === 'TransferFailed');
      expect(ends.length).toBeLessThanOrEqual(1);
      const last = events.findIndex((event) => ends.includes(event));
      // Nothing is signed once it has ended.
      const later = last < 0 ? [] : events.slice(last + 1).map(({ type }) => type);
      expect(later.filter((type) => type !== 'MarkerReclaimed')).toEqual([]);
      expect(state.status !== 'unknown' && hasEnded(state)).toBe(ends.length === 1);
    }),
    { numRuns: 1_000 },
  );
});

test('a recorded history of version 1 folds as it did', () => {
  const { events, state } = history as { events: object[]; state: object };
  expect(after(...(events as OutgoingTransferEvent[]))).toEqual(state);
});
