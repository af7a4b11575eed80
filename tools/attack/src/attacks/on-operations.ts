import { attacksOnOperations, malformedOperations } from '@tender/signer-domain/testing';
import type { Operation } from '@tender/threshold';
import { base58, base64 } from '@tender/transactions';
import { atBoth, atEach, ofArea, type Attack, type Row, type Told } from '../attack';
import { someWallet, type Target } from '../stage/target';

const attacker = someWallet();

/** Names and codes are the same for every wallet. */
function anyHonest(): { refund: Operation; settlement: Operation } {
  const op: Operation = {
    ...{ v: 1, id: 'any', type: 'refund', mode: 'test', wallet: someWallet(), to: someWallet() },
    ...{ asset: 'USDC', amount: '2', exp: 2, credit: base58(new Uint8Array(64).fill(7)) },
  };
  return { refund: op, settlement: { ...op, type: 'settlement', credit: null } };
}

const honest = (target: Target) => ({ refund: target.refund(), settlement: target.settlement() });

const malformed = malformedOperations(anyHonest()).map(([, name], place): Row => [
  ...(['op_malformed', `not an operation: ${name}`] as const),
  async (target) => {
    const operations = honest(target);
    const [, , op] = malformedOperations(operations)[place] as readonly unknown[];
    const message = base64(await target.transfers.message(operations.refund));
    return asked(target, { op, message });
  },
]);

const untrue = attacksOnOperations(anyHonest(), { attacker, now_ms: 0 }).map(
  ({ code, name }, place): Row => [
    ...([code, name] as const),
    async (target) => {
      const all = attacksOnOperations(honest(target), { attacker, now_ms: Date.now() });
      const { op } = all[place] as { op: Operation };
      return asked(target, { op, message: base64(await target.transfers.message(op)) });
    },
  ],
);

const asked = (target: Target, body: object): Promise<Told> =>
  atBoth((role) => target.ask(role, 'propose', body));

const OTHERS: readonly Row[] = [
  [
    'wallet_unknown',
    'a wallet that the signers hold no share of',
    async (target) => {
      const op = { ...target.refund(), wallet: someWallet() };
      return atEach((role) => target.propose(role, op));
    },
  ],
  [
    'op_changed',
    'another receiver under an id that was used',
    async (target) => {
      const { op } = await target.begun();
      const changed = { ...op, to: attacker };
      return atEach((role) => target.propose(role, changed));
    },
  ],
  [
    'op_changed',
    'a higher amount under an id that was used',
    async (target) => {
      const { op } = await target.begun();
      const changed = { ...op, amount: String(BigInt(op.amount) + 1n) };
      return atEach((role) => target.propose(role, changed));
    },
  ],
  [
    'op_expired',
    'an attempt that is over by the clock of one signer, and not by that of the other',
    (target) =>
      atEach((role) =>
        target.field.later([role], 170_000, () => target.propose(role, target.refund())),
      ),
  ],
];

export const onOperations: readonly Attack[] = ofArea(
  'operations',
  ...[...malformed, ...untrue, ...OTHERS],
);
