import {
  DEFAULT_RULES,
  type EntryState,
  type ListKind,
  type Rule,
  type RuleState,
} from '@tender/fraud-domain';

type KnownEntry = Exclude<EntryState, { readonly status: 'unknown' }>;

/** Rules as they hold: what an operator has changed or added in the place of the defaults, oldest first. */
export function rulesInForce(
  known: ReadonlyMap<string, Exclude<RuleState, { readonly status: 'unknown' }>>,
): readonly Rule[] {
  const defaults = DEFAULT_RULES.map((rule) => known.get(rule.id)?.rule ?? rule);
  const default_ids = new Set(DEFAULT_RULES.map(({ id }) => id));
  const added = [...known.values()].flatMap(({ rule }) => (default_ids.has(rule.id) ? [] : [rule]));
  return [...defaults, ...added];
}

/** The hashes on each block list. */
export function blockLists(
  entries: ReadonlyMap<string, KnownEntry>,
): Readonly<Record<ListKind, ReadonlySet<string>>> {
  const lists = { wallet: new Set<string>(), ip: new Set<string>(), email: new Set<string>() };
  for (const { status, entry } of entries.values()) {
    if (status === 'listed') lists[entry.kind].add(entry.value_hash);
  }
  return lists;
}
