import { isBase58Address } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import type { ListEntry, ListKind } from '@tender/fraud-domain';
import { isEmailAddress, isoTime, uuidOf } from '@tender/kernel';
import { canonical, valueHash } from '../screen-payment/value-hash';

/** What is wrong with a value of that kind; null where nothing is. */
export function valueFault(kind: ListKind, value: string): string | null {
  const text = value.trim();
  if (kind === 'wallet') return isBase58Address(text) ? null : 'must be a Solana address';
  if (kind === 'email') return isEmailAddress(text) ? null : 'must be an e-mail address';
  return canonical(kind, text) === null ? 'must be an IPv4 or IPv6 address' : null;
}

/** The same value has the same id. */
export const entryIdOf = (
  { keyRing }: Pick<Runtime, 'keyRing'>,
  kind: ListKind,
  value: string,
): string => uuidOf(keyRing.idBytes(`blocked|${kind}|${canonical(kind, value)}`));

/** The value is sealed under a key of its own: deleting that leaves an entry that still blocks and tells nothing. */
export async function newEntry(
  runtime: Pick<Runtime, 'keyRing' | 'clock'>,
  {
    kind,
    value,
    note,
  }: { readonly kind: ListKind; readonly value: string; readonly note: string | null },
): Promise<ListEntry> {
  const { keyRing, clock } = runtime;
  const entry_id = entryIdOf(runtime, kind, value);
  const subject_id = `blocked-${entry_id}`;
  return {
    entry_id,
    kind,
    value_hash: valueHash(keyRing, kind, value),
    subject_id,
    value_sealed: await keyRing.sealPersonal(subject_id, canonical(kind, value) ?? value),
    note,
    created_at: isoTime(clock.now()),
  };
}
