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
  invariant(handled.ok, 'a change can be written down');
}

function sealOf({ idBytes }: Pick<KeyRing, 'idBytes'>, entry: Omit<AuditEntry, 'seal'>): string {
  const { number, prev_seal, actor, reason, route, what, at, correlation_id } = entry;
  const told = [number, prev_seal, actor, reason, route, what, at, correlation_id];
  return idBytes(`audit|${JSON.stringify(told)}`).toString('hex');
}

export interface AuditFault {
  /** Of the first entry that is not as it was written. */
  readonly number: number;
  readonly at: string;
  readonly fault: string;
}

/** Holds each entry to its own seal and to the one before. Null: all are as they were written, in their order. */
export function firstAuditFault(
  keyRing: Pick<KeyRing, 'idBytes'>,
  events: readonly StoredEvent[],
): AuditFault | null {
  let before: AuditEntry | null = null;
  for (const event of events) {
    const entry = event.data as AuditEntry;
    const fault = faultOf(keyRing, entry, before);
    if (fault !== null) return { number: (before?.number ?? 0) + 1, at: String(entry.at), fault };
    before = entry;
  }
  return null;
}

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
