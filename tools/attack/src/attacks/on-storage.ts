import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { peerOf } from '@tender/signer-features';
import type { HostedRole } from '@tender/threshold';
import { atEach, ofArea, type Attack, type Row } from '../attack';
import type { Target } from '../stage/target';

/** What a signer does that refuses to serve. */
const NOT_STARTED = 'does not start';

type Column = 'roster' | 'sealed_share';

/** While the ledger of a signer has another value for a wallet. */
async function whileItHas(
  target: Target,
  role: HostedRole,
  column: Column,
  value: (now: object) => unknown,
  work: () => Promise<string>,
): Promise<string> {
  const { field, wallet } = target;
  const now = await rowOf(target, role, column);
  const put = (it: unknown) =>
    field
      .ledger(role)
      .query(`update wallets set ${column} = $2 where address = $1`, [wallet, JSON.stringify(it)]);
  await put(value(now));
  try {
    return await work();
  } finally {
    await put(now);
  }
}

async function rowOf(
  { field, wallet }: Target,
  role: HostedRole,
  column: Column,
): Promise<object> {
  const { rows } = await field
    .ledger(role)
    .query(`select ${column} as it from wallets where address = $1`, [wallet]);
  return (rows[0] as { it: object }).it;
}

/** A transfer while the row of its wallet holds something else. */
const replaced = (
  expects: string,
  name: string,
  column: Column,
  value: (now: object, others: object) => unknown,
): Row => [
  ...([expects, name] as const),
  async (target) => {
    const other = await target.another();
    return atEach(async (role) => {
      const others = await rowOf(other, role, column);
      const op = target.refund();
      return whileItHas(target, role, column, (now) => value(now, others), () =>
        target.propose(role, op),
      );
    });
  },
];

/** As a backup of before the operation would have it. */
async function setBack({ field }: Target, role: HostedRole, id: string): Promise<void> {
  await field.ledger(role).query('delete from journal where operation_id = $1', [id]);
  await field.ledger(role).query('delete from operations where id = $1', [id]);
}

/** A signer with a folder that is not its own, or a ledger that is not. */
async function startedWith(
  { field }: Target,
  role: HostedRole,
  changes: (folder: string) => Record<string, string>,
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'tender-attack-'));
  try {
    cpSync(field.signers[role].dir, folder, { recursive: true });
    const said = await field.refusalToStart(role, changes(folder));
    return said === null ? 'starts' : NOT_STARTED;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export const onStorage: readonly Attack[] = ofArea(
  'storage',
  replaced('503', 'the share of another wallet in its row', 'sealed_share', (_, others) => others),
  replaced('wallet_unknown', 'the roster of another wallet in its row', 'roster', (_, others) =>
    others,
  ),
  replaced('op_type_not_allowed', 'the wallet of a customer', 'roster', (now) => ({
    ...{ ...now, beneficiary: 'customer' },
  })),
  [
    'epoch_mismatch',
    'new shares between the commitment and the share',
    (target) =>
      atEach(async (role) => {
        const begun = await target.begun();
        return whileItHas(target, role, 'roster', (now) => ({ ...now, epoch: 2 }), () =>
          target.share(role, begun, begun.commits),
        );
      }),
  ],
  [
    'session_unknown',
    'a share once more, after the ledger was set back',
    (target) =>
      atEach(async (role) => {
        const begun = await target.begun();
        await target.share(role, begun, begun.commits);
        await setBack(target, role, begun.op.id);
        return target.share(role, begun, begun.commits);
      }),
  ],
  [
    'session_unknown',
    'a share of a session that is open, after the ledger was set back',
    (target) =>
      atEach(async (role) => {
        const begun = await target.begun();
        await setBack(target, role, begun.op.id);
        return target.share(role, begun, begun.commits);
      }),
  ],
  [
    'op_already_in_flight',
    'the operation once more, after the ledger of the other signer was set back',
    (target) =>
      atEach(async (role) => {
        const begun = await target.begun();
        for (const each of ['A', 'B'] as const) await target.share(each, begun, begun.commits);
        await setBack(target, peerOf(role), begun.op.id);
        return target.propose(role, begun.op);
      }),
  ],
  [
    NOT_STARTED,
    'another key-encryption key than the shares are sealed under',
    (target) =>
      atEach((role) =>
        startedWith(target, role, (folder) => {
          rmSync(join(folder, 'kek'));
          return { SIGNER_DIR: folder };
        }),
      ),
  ],
  [
    NOT_STARTED,
    'the ledger of the other signer',
    (target) =>
      atEach((role) =>
        startedWith(target, role, (folder) => ({
          ...{ SIGNER_DIR: folder, SIGNER_ROLE: peerOf(role) },
        })),
      ),
  ],
);
