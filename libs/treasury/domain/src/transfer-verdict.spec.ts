import type { Attempt } from './outgoing-transfer';
import { transferVerdict, type ShownStatus, type TransferView } from './transfer-verdict';

const attempt = (signature: string, may_land: boolean): Attempt => ({
  ...{ signature, may_land, transaction: '', recent_blockhash: 'b' },
  last_valid_block_height: 150,
});
const view = (
  statuses: readonly (ShownStatus | null)[],
  finalized_block_height = 151,
  has_marker = false,
): TransferView => ({ statuses, finalized_block_height, has_marker });
const at = (commitment: ShownStatus['commitment'], error: string | null = null): ShownStatus => ({
  ...{ slot: 9, commitment, error },
});
const final = at('finalized');
const fell = at('finalized', 'no money');
const open = [attempt('s1', true)];
const again = [attempt('s1', false), attempt('s2', true)];
const kindOf = (attempts: readonly Attempt[], ...views: TransferView[]): string =>
  transferVerdict(attempts, views).kind;

test('it has landed when two nodes say so at finalized, or the only one', () => {
  expect(kindOf(open, view([final], 1, true))).toBe('landed');
  expect(kindOf(open, view([final], 1, true), view([final], 1, true))).toBe('landed');
  expect(kindOf(open, view([final], 1, true), view([null]), view([final], 1, true))).toBe('landed');
  expect(kindOf(open, view([final], 1, true), view([null]))).toBe('unknown');
  for (const commitment of ['processed', 'confirmed'] as const) {
    expect(kindOf(open, view([at(commitment)], 999))).toBe('unknown');
  }
});

test('it is dropped when its blockhash is dead for all nodes, none knows it, and none has the marker', () => {
  const dead = view([null]);
  expect(transferVerdict(open, [dead, view([null], 200)])).toEqual({
    ...{ kind: 'dropped', signature: 's1' },
    proof: { error: null, finalized_block_height: 151, nodes: 2 },
  });
  expect(kindOf(open, dead, view([null], 150))).toBe('unknown');
  expect(kindOf(open, dead, view([final]))).toBe('unknown');
  expect(kindOf(open, dead, view([at('processed')]))).toBe('unknown');
  expect(kindOf(open, dead, view([null], 151, true))).toBe('unknown');
  expect(kindOf(open, view([null], 999, true))).toBe('unknown');
  expect(kindOf(open)).toBe('unknown');
});

test('one that failed on chain is dropped once all nodes say so at finalized, whatever its blockhash', () => {
  expect(transferVerdict(open, [view([fell], 1), view([fell], 2)])).toMatchObject({
    ...{ kind: 'dropped', proof: { error: 'no money', finalized_block_height: 1 } },
  });
  expect(kindOf(open, view([fell]), view([null]))).toBe('unknown');
  expect(kindOf(open, view([fell]), view([at('confirmed', 'no money')]))).toBe('unknown');
  // The marker is there: another one of the transfer has landed, whichever that is.
  expect(kindOf(open, view([fell], 151, true))).toBe('unknown');
});

test('an earlier one that nodes have hidden counts, however it was judged', () => {
  expect(transferVerdict(again, [view([final, fell], 151, true)])).toEqual({
    ...{ kind: 'landed', signature: 's1', slot: 9 },
  });
  expect(kindOf(again, view([at('confirmed'), fell]))).toBe('unknown');
  expect(kindOf(again, view([fell, null]))).toBe('dropped');
});

test('another one may be signed when none may land, and no node shows a success or the marker', () => {
  const closed = [attempt('s1', false)];
  expect(kindOf(closed, view([null]), view([fell]))).toBe('clear');
  expect(kindOf(closed, view([null]), view([at('processed')]))).toBe('unknown');
  expect(kindOf(closed, view([null]), view([null], 151, true))).toBe('unknown');
  expect(kindOf([], view([], 0, false))).toBe('clear');
  expect(kindOf([], view([], 0, true))).toBe('unknown');
});
