import { accept, invariant, isoTime, type Decider, type Decision } from '@tender/kernel';
import { aggregate } from '../aggregates/aggregate';
import type { StoredEvent, StreamName } from '../events/event';
import type { KeyRing } from '../ports/key-ring';
import type { Runtime } from '../runtime';

/** What an admin wants to change, and why. */
export interface AdminChange {
  /** As events keep it: `admin`. */
  readonly actor: string;
  readonly reason: string;
  /** The route’s method and path: `POST /admin/merchants/{id}/keys`. */
  readonly route: string;
  /** Never a secret or personal data: ids, and fields that were sent. */
  readonly what: Readonly<Record<string, unknown>>;
  readonly at: string;
  readonly correlation_id: string;
}

/** One entry: it is bound to the one before it under a key that is not in the database. */
export interface AuditEntry extends AdminChange {
  /** 1, 2, 3 … */
  readonly number: number;
  readonly prev_seal: string | null;
  readonly seal: string;
}

export interface AdminChanged {
  readonly type: 'AdminChanged';
  readonly data: AuditEntry;
}

interface Chain {
  readonly status: 'known';
  readonly last: Pick<AuditEntry, 'number' | 'seal'>;
}
type ChainState = { readonly status: 'unknown' } | Chain;

interface RecordChange {
  readonly type: 'RecordChange';
  readonly change: AdminChange;
  readonly seal: (entry: Omit<AuditEntry, 'seal'>) => string;
}

const UNKNOWN: ChainState = { status: 'unknown' };

const auditDecider = {
  initial: UNKNOWN,
  evolve: (state: ChainState, event: AdminChanged): ChainState =>
    event.type === 'AdminChanged' ? { status: 'known', last: event.data } : state,
  decide: { RecordChange: recordChange },
} satisfies Decider<ChainState, AdminChanged>;

function recordChange(
  { change, seal }: RecordChange,
  state: ChainState,
): Decision<AdminChanged, never> {
  const last = state.status === 'known' ? state.last : null;
  const entry = { ...change, number: (last?.number ?? 0) + 1, prev_seal: last?.seal ?? null };
  return accept<AdminChanged>({ type: 'AdminChanged', data: { ...entry, seal: seal(entry) } });
}

const audit = aggregate({ noun: 'audit', modes: ['all'], decider: auditDecider, begins: [] });
const THE_LOG = 'admin';
/** Number and seal of each entry, beside the keys: the log itself cannot say that its end was cut off. */
const WITNESS = 'audit';
const WITNESSED = /^(\d{1,15}) ([0-9a-f]{64})$/;

/** The stream of all changes by admins, from every context. */
export const AUDIT_STREAM: StreamName = audit.stream('all', THE_LOG);
export const AUDIT_CATEGORIES = audit.categories;

/** A request of an admin, as the audit log needs it. */
export interface AdminRequest {
  readonly actor: string;
  readonly command_id: string;
  readonly body_hash: string;
  readonly correlation_id: string;
}

/**
 * Writes down what an admin is about to change. Called before the change, so that there is none without an entry; one
 * that is refused afterwards, or was asked for twice under one Idempotency-Key, has one entry, too.
 */
export async function recordAdminChange(
  runtime: Pick<Runtime, 'eventStore' | 'clock' | 'random' | 'keyRing'>,
  { actor, command_id, body_hash, correlation_id }: AdminRequest,
  change: Pick<AdminChange, 'reason' | 'route' | 'what'>,
): Promise<void> {
  const at = isoTime(runtime.clock.wall());
  const command: RecordChange = {
    type: 'RecordChange',
    change: { actor, ...change, at, correlation_id },
    seal: (entry) => sealOf(runtime.keyRing, entry),
  };
  const handled = await audit.handle(runtime, 'all', THE_LOG, command, {
    // A key whose first request came to nothing may bring another body: that is another change.
    command_id: `${command_id}|${body_hash}`,
    ...{ body_hash, merchant_id: null, actor, correlation_id, causation_id: null },
  });
  invariant(handled.ok && handled.state.status === 'known', 'a change can be written down');
  const { number, seal } = handled.state.last;
  runtime.keyRing.witness(WITNESS, `${number} ${seal}`);
}

function sealOf({ idBytes }: Pick<KeyRing, 'idBytes'>, entry: Omit<AuditEntry, 'seal'>): string {
  const { number, prev_seal, actor, reason, route, what, at, correlation_id } = entry;
  const told = [number, prev_seal, actor, reason, route, what, at, correlation_id];
  return idBytes(`audit|${JSON.stringify(told)}`).toString('hex');
}

export interface AuditFault {
  /** Of the first entry that is not as it was written. */
  readonly number: number;
  /** As the entry says; null where there is none. */
  readonly at: string | null;
  readonly fault: string;
}

export interface AuditFindings {
  /** Null: all entries are as they were written, in their order. */
  readonly broken: AuditFault | null;
  /** Number of the newest entry that is written down beside the keys; one that was cut off after it is not missed. */
  readonly witnessed_up_to: number;
}

/** Holds each entry to its own seal, to the one before, and to what is written down of it beside the keys. */
export function auditFindings(
  keyRing: Pick<KeyRing, 'idBytes' | 'witnessed'>,
  events: readonly StoredEvent[],
): AuditFindings {
  const seals = witnessedSeals(keyRing);
  const witnessed_up_to = Math.max(0, ...seals.keys());
  let before: AuditEntry | null = null;
  for (const event of events) {
    const entry = event.data as AuditEntry;
    const number: number = (before?.number ?? 0) + 1;
    const fault = faultOf(keyRing, entry, before) ?? witnessFault(entry, seals.get(number));
    if (fault !== null) {
      return { broken: { number, at: String(entry.at), fault }, witnessed_up_to };
    }
    before = entry;
  }
  if (witnessed_up_to <= events.length) return { broken: null, witnessed_up_to };
  const fault = `it is gone, and so is what was written up to entry ${witnessed_up_to}`;
  return { broken: { number: events.length + 1, at: null, fault }, witnessed_up_to };
}

/** The first seal of a number: what was written in the place of an entry that was cut off comes later. */
function witnessedSeals({ witnessed }: Pick<KeyRing, 'witnessed'>): ReadonlyMap<number, string> {
  const seals = new Map<number, string>();
  for (const line of witnessed(WITNESS)) {
    const [, number, seal] = WITNESSED.exec(line) ?? [];
    if (number && seal && !seals.has(Number(number))) seals.set(Number(number), seal);
  }
  return seals;
}

const witnessFault = ({ seal }: AuditEntry, witnessed: string | undefined): string | null =>
  witnessed === undefined || witnessed === seal ? null : 'it is not the one that was written down';

function faultOf(
  keyRing: Pick<KeyRing, 'idBytes'>,
  entry: AuditEntry,
  before: AuditEntry | null,
): string | null {
  if (entry.number !== (before?.number ?? 0) + 1)
    return `it says that it is number ${entry.number}`;
  if (entry.prev_seal !== (before?.seal ?? null)) return 'it does not follow the entry before it';
  return entry.seal === sealOf(keyRing, entry) ? null : 'it is not what was written';
}
