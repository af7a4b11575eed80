import { specificationOf, stateAfter } from '@tender/eventing/testing';
import flags from './recorded/flag-v1.json';
import entries from './recorded/block-entry-v1.json';
import rules from './recorded/rule-v1.json';
import lists from './recorded/sanctions-v1.json';
import { flagDecider, type FlagEvent } from './flag';
import { entryDecider, type EntryEvent } from './list-entry';
import { DEFAULT_RULES, ruleDecider, type Rule, type RuleEvent } from './rule';
import { listAge, sanctionsDecider, type SanctionsEvent } from './sanctions';

const { FlagRaised, PaymentBlocked, FlagResolved } = flags as unknown as Record<string, FlagEvent>;
const { EntryAdded, EntryRemoved } = entries as unknown as Record<string, EntryEvent>;
const { RuleCreated, RuleChanged } = rules as unknown as Record<string, RuleEvent>;
const history = lists as unknown as Record<string, SanctionsEvent>;
const { ListImported, ListAgeArranged, WalletSanctioned, WalletCleared } = history;
type Of<All extends { type: string }, Type> = Extract<All, { type: Type }>;

const raised = FlagRaised as Of<FlagEvent, 'FlagRaised'>;
const blocked = PaymentBlocked as Of<FlagEvent, 'PaymentBlocked'>;
const resolved = FlagResolved as Of<FlagEvent, 'FlagResolved'>;
const added = EntryAdded as Of<EntryEvent, 'EntryAdded'>;
const removed = EntryRemoved as Of<EntryEvent, 'EntryRemoved'>;
const created = RuleCreated as Of<RuleEvent, 'RuleCreated'>;
const imported = ListImported as Of<SanctionsEvent, 'ListImported'>;
const AT = '2026-01-02T00:00:00.000Z';

describe('a flag', () => {
  const flag = specificationOf(flagDecider);
  test('is raised once, and anew with another score or action', () => {
    flag().when({ type: 'RaiseFlag', terms: raised.data }).then(raised);
    flag().when({ type: 'RaiseFlag', terms: blocked.data }).then(blocked);
    flag(raised).when({ type: 'RaiseFlag', terms: raised.data }).then();
    flag(raised).when({ type: 'RaiseFlag', terms: blocked.data }).then(blocked);
  });
  test('is resolved once', () => {
    const { resolution } = resolved.data;
    flag(raised).when({ type: 'ResolveFlag', resolution }).then(resolved);
    flag(raised, resolved)
      .when({ type: 'ResolveFlag', resolution })
      .thenRefused('flag_already_resolved');
    flag().when({ type: 'ResolveFlag', resolution }).thenRefused('flag_unknown');
  });
});

test('a value is listed, removed and listed again', () => {
  const entry = specificationOf(entryDecider);
  const add = { type: 'AddEntry', ...added.data } as const;
  const remove = { type: 'RemoveEntry', reason: 'a mistake', at: removed.data.at } as const;
  entry().when(add).then(added);
  entry(added).when(add).then();
  entry(added).when(remove).then(removed);
  entry(added, removed).when(add).then(added);
  entry(added, removed).when(remove).thenRefused('entry_unknown');
  entry().when(remove).thenRefused('entry_unknown');
});

test('a rule is made once, and changed from what it is: a default one from what is shipped', () => {
  const rule = specificationOf(ruleDecider);
  rule()
    .when({ type: 'CreateRule', ...created.data })
    .then(created);
  rule(created)
    .when({ type: 'CreateRule', ...created.data })
    .thenRefused('rule_exists');
  const [base] = DEFAULT_RULES as [Rule];
  const change = (known: Rule): Rule => ({ ...known, weight: 1 });
  const asked = { type: 'ChangeRule', change, reason: 'too strict', at: AT } as const;
  const told = { rule: { ...base, weight: 1 }, reason: 'too strict', at: AT };
  rule()
    .when({ ...asked, base })
    .then({ type: 'RuleChanged', data: told });
  rule()
    .when({ ...asked, base: null })
    .thenRefused('rule_unknown');
  expect(stateAfter(ruleDecider, [created, RuleChanged as RuleEvent])).toMatchObject({
    rule: { weight: 50 },
  });
});

describe('the sanctions list', () => {
  const list = specificationOf(sanctionsDecider);
  test('is replaced by a newer one only', () => {
    const older = { ...imported.data, as_of: '2025-01-01T00:00:00.000Z' };
    const newer = { ...imported.data, as_of: AT };
    list().when({ type: 'ImportList', list: imported.data }).then(imported);
    list(imported).when({ type: 'ImportList', list: older }).then();
    list(imported)
      .when({ type: 'ImportList', list: newer })
      .then({ type: 'ListImported', data: newer });
  });
  test('goes by the day of its issue before it goes by when it was seen', () => {
    const earlier = { ...imported.data, issued_on: '2020-01-01', as_of: AT };
    list(imported).when({ type: 'ImportList', list: earlier }).thenRefused('list_issued_earlier');
    const later = { ...imported.data, issued_on: '2099-01-01', as_of: '2025-01-01T00:00:00.000Z' };
    list(imported)
      .when({ type: 'ImportList', list: later })
      .then({ type: 'ListImported', data: later });
  });
  test('is empty, fresh for 24 hours, then stale; a test says otherwise', () => {
    const age = (events: readonly SanctionsEvent[], hours: number, counts = false) =>
      listAge(stateAfter(sanctionsDecider, events), () => hours * 3_600_000, counts);
    expect(age([], 0, true)).toBe('empty');
    expect(age([{ ...imported, data: { ...imported.data, wallets: 0 } }], 0)).toBe('empty');
    expect([age([imported], 24), age([imported], 24.001), age([imported], 99, true)]).toEqual([
      ...['fresh', 'stale', 'fresh'],
    ]);
    expect(age([imported, ListAgeArranged as SanctionsEvent], 0)).toBe('stale');
  });
  test('takes wallets of tests and lets them go', () => {
    const wallet = { type: 'ArrangeWallet', wallet: 'W1' } as const;
    const [taken, cleared] = [WalletSanctioned as SanctionsEvent, WalletCleared as SanctionsEvent];
    list(imported)
      .when({ ...wallet, sanctioned: true })
      .then(taken);
    list(imported, taken)
      .when({ ...wallet, sanctioned: true })
      .then();
    list(imported, taken)
      .when({ ...wallet, sanctioned: false })
      .then(cleared);
  });
});
