import { base58, base64 } from '@tender/transactions';
import { NodeRefused, type Outcome, type SolanaNode } from './node';
import { RefusedUnsent, sentToItsEnd } from './send';
import type { Sent } from './sent-file';

const sent: Sent = {
  ...{ wallet: 'w', network: 'n', signature: base58(new Uint8Array(64)), transaction: base64(new Uint8Array(1)) },
  ...{ dead_after_height: 100, sent_at_slot: 50, what: '1 USDC' },
};

interface Look {
  readonly height: number;
  readonly outcome: Outcome;
  /** Where the node is that looks for it, after the one that tells the height. */
  readonly behind?: number;
}

/** A node that answers so, one after the other, and the last for ever. */
function node(
  looks: readonly Look[],
  { refuses, from = 0 }: { refuses?: unknown; from?: number } = {},
) {
  const asked = { looks: 0, sends: 0 };
  const now = (): Look => looks[Math.min(asked.looks, looks.length - 1)] as Look;
  const scripted = {
    reached: async () => ({ slot: now().height + 5, height: now().height }),
    outcomeOf: async () => {
      const { outcome, height, behind = 0 } = now();
      asked.looks += 1;
      return { outcome, slot: height + 5 - behind };
    },
    historyFrom: async () => from,
    send: async () => {
      asked.sends += 1;
      if (refuses && asked.sends === 1) throw new NodeRefused(-32002, 'no', [], refuses);
    },
  };
  return { asked, on: scripted as unknown as SolanaNode };
}
const lost = { height: 101, outcome: 'unknown' } as const;

test('is dead after several looks beyond its last block, and not after one that a lagging node has answered', async () => {
  const late = node([lost, lost, { height: 101, outcome: 'final' }]);
  expect(await sentToItsEnd(late.on, sent, false)).toBe('landed');
  const dead = node([{ height: 100, outcome: 'unknown' }, lost, { ...lost, behind: 1 }, lost]);
  expect(await sentToItsEnd(dead.on, sent, false)).toBe('dead');
  // The one at its last block, one, the one that lags, and three in a row.
  expect(dead.asked.looks).toBe(6);
});

test('is not said to be dead by a node that has thrown that part of its history away', async () => {
  const fault = sentToItsEnd(node([lost], { from: 51 }).on, sent, false);
  await expect(fault).rejects.toThrow('use a node with a longer history');
});

test('that the chain has already is waited for, and is not refused', async () => {
  const there = node([{ height: 60, outcome: 'on its way' }, { height: 61, outcome: 'final' }], {
    refuses: 'AlreadyProcessed',
  });
  expect(await sentToItsEnd(there.on, sent, true)).toBe('landed');
  const refused = node([lost], { refuses: { InstructionError: [0, 'InvalidArgument'] } });
  await expect(sentToItsEnd(refused.on, sent, true)).rejects.toThrow(RefusedUnsent);
});
