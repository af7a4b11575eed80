import type { Mode } from '@tender/kernel';
import type { Category, StoredEvent, StreamMode, StreamName } from '../events/event';
import type { Chain } from '../ports/chain';
import type { EventStore } from '../ports/event-store';
import type { Sql } from '../ports/read-models';

/** A table in which all objects of a kind stand, and the columns by which they are gone through. */
export interface KindList {
  /** Qualified; it has a column `mode`. */
  readonly table: string;
  /** Its primary key. */
  readonly key: string;
  /** The id in the names of streams. */
  readonly id: string;
}

/** What checks look at: the objects of an aggregate. */
export interface CheckedKind {
  /** Of its streams, in all modes. */
  readonly categories: readonly Category[];
  stream(mode: StreamMode, id: string): StreamName;
  /** Null: no table lists them. Such an object is looked at when something happens to it, and not again. */
  readonly list: KindList | null;
}

/** An object as the log has it. */
export interface CheckedObject {
  readonly stream: StreamName;
  readonly id: string;
  /** Oldest first; an object without any is not handed over. */
  readonly history: readonly StoredEvent[];
}

/** An object that breaks an invariant, and in what way: a sentence without secrets and personal data. */
export interface Finding {
  readonly stream: StreamName;
  readonly says: string;
}

/** What a check may ask: it writes nothing. */
export interface CheckPorts {
  readonly eventStore: Pick<EventStore, 'load'>;
  /** The tables of its own context. */
  readonly readModels: Sql;
  /** Null where none can be asked: what needs a chain is not looked at then. */
  readonly chains: Readonly<Record<Mode, Pick<Chain, 'transaction' | 'mints'>>> | null;
}

/** One rule of `docs/invariants.md`, held against what there is. A context lists its own. */
export interface InvariantCheck {
  /** `M10` */
  readonly id: string;
  /** In one sentence, for an operator. */
  readonly says: string;
  readonly of: CheckedKind;
  /**
   * Those of these objects, all of one mode, that break it. Asks for what it needs of many objects at once: its cost
   * must not grow by a question per object.
   */
  find(
    ports: CheckPorts,
    mode: StreamMode,
    objects: readonly CheckedObject[],
  ): Promise<readonly Finding[]>;
}

/** What to look at of an aggregate. One without a view needs `list`, or is looked at only when it changes. */
export function checkedKind(
  of: Pick<CheckedKind, 'categories' | 'stream'> & { readonly view?: { readonly table: string } },
  list: KindList | null = of.view ? { table: of.view.table, key: 'id', id: 'id' } : null,
): CheckedKind {
  return { categories: of.categories, stream: of.stream, list };
}

type FaultOf = (object: CheckedObject) => string | null;

/** A rule that an object's own history shows: `fault` says how it is broken, null where it holds. */
export function ownInvariant(
  check: Pick<InvariantCheck, 'id' | 'says' | 'of'> & { readonly fault: FaultOf },
): InvariantCheck {
  const { fault, ...rest } = check;
  return { ...rest, find: (_, __, objects) => Promise.resolve(eachFault(objects, fault)) };
}

/** Those of the objects that `fault` finds broken. */
export const eachFault = (objects: readonly CheckedObject[], fault: FaultOf): readonly Finding[] =>
  objects.flatMap((object) => {
    const says = fault(object);
    return says === null ? [] : { stream: object.stream, says };
  });

/** The same, of a fault that others are asked for: one object after the other. */
export async function eachFaultAsked(
  objects: readonly CheckedObject[],
  fault: (object: CheckedObject) => Promise<string | null>,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const object of objects) {
    const says = await fault(object);
    if (says !== null) findings.push({ stream: object.stream, says });
  }
  return findings;
}
