import { accept, refuse, type Decider, type Decision } from '@tender/kernel';
import type { ListKind } from './rule';

/** What is on a block list. An e-mail and an address are personal: sealed, and found by a keyed hash. */
export interface ListEntry {
  readonly entry_id: string;
  readonly kind: ListKind;
  /** Keyed hash of the value in its one spelling. */
  readonly value_hash: string;
  readonly subject_id: string;
  readonly value_sealed: string;
  readonly note: string | null;
  readonly created_at: string;
}

export interface EntryAdded {
  readonly type: 'EntryAdded';
  readonly data: { readonly entry: ListEntry; readonly reason: string };
}
export interface EntryRemoved {
  readonly type: 'EntryRemoved';
  readonly data: { readonly entry: ListEntry; readonly reason: string; readonly at: string };
}
export type EntryEvent = EntryAdded | EntryRemoved;

export type EntryState =
  | { readonly status: 'unknown' }
  | { readonly status: 'listed' | 'removed'; readonly entry: ListEntry };

export interface AddEntry {
  readonly type: 'AddEntry';
  readonly entry: ListEntry;
  readonly reason: string;
}
export interface RemoveEntry {
  readonly type: 'RemoveEntry';
  readonly reason: string;
  readonly at: string;
}

const UNKNOWN: EntryState = { status: 'unknown' };

/** One value of one kind: listed, removed, listed again. */
export const entryDecider = {
  initial: UNKNOWN,
  evolve: evolveEntry,
  decide: { AddEntry: addEntry, RemoveEntry: removeEntry },
} satisfies Decider<EntryState, EntryEvent>;

function evolveEntry(state: EntryState, event: EntryEvent): EntryState {
  switch (event.type) {
    case 'EntryAdded':
      return { status: 'listed', entry: event.data.entry };
    case 'EntryRemoved':
      return { status: 'removed', entry: event.data.entry };
    default:
      return state;
  }
}

/** What is listed already stays as it was listed. */
function addEntry({ entry, reason }: AddEntry, state: EntryState): Decision<EntryEvent, never> {
  if (state.status === 'listed') return accept<EntryEvent>();
  return accept<EntryEvent>({ type: 'EntryAdded', data: { entry, reason } });
}

function removeEntry(
  { reason, at }: RemoveEntry,
  state: EntryState,
): Decision<EntryEvent, 'entry_unknown'> {
  if (state.status !== 'listed') return refuse('entry_unknown');
  return accept<EntryEvent>({ type: 'EntryRemoved', data: { entry: state.entry, reason, at } });
}
