import type { HostedRole } from '@tender/threshold';
import { atEach, ofArea, type Attack } from '../attack';
import type { Battlefield } from '../stage/battlefield';
import type { Target } from '../stage/target';

const COLUMNS = `wallet, op_digest, state, asset, amount, credit, usd_cents, reserved_ms, session,
  session_ends_ms, marker, message, dead_after_height, seen_slot, credited_wallet`;

/** A proposal that comes while another wallet’s operation of its id is being written down. */
async function beside(target: Target, other: Target, role: HostedRole): Promise<string> {
  const { op: known } = await other.begun();
  const op = target.refund();
  const writing = await target.field.ledger(role).connect();
  try {
    await writing.query('begin');
    await writing.query(
      `insert into operations (id, ${COLUMNS}) select $1, ${COLUMNS} from operations where id = $2`,
      [op.id, known.id],
    );
    let ended = false;
    const word = target.propose(role, op).finally(() => (ended = true));
    while (!ended && !(await oneWaits(target.field, role)));
    await writing.query('commit');
    return await word;
  } finally {
    writing.release();
  }
}

/** The signer has seen no operation of the id, and waits for the one that it does not see. */
async function oneWaits({ ledger }: Battlefield, role: HostedRole): Promise<boolean> {
  const { rowCount } = await ledger(role).query(
    `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rowCount !== 0;
}

export const onOneId: readonly Attack[] = ofArea('operations', [
  'op_changed',
  'one id in two wallets at the same moment',
  async (target) => {
    const other = await target.another();
    return atEach((role) => beside(target, other, role));
  },
]);
