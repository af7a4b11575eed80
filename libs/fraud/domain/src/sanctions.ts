import { accept, refuse, type Decider, type Decision } from '@tender/kernel';

/** A list of sanctioned wallets as it was imported. Its wallets are in a table, under its id. */
export interface ImportedList {
  readonly list_id: string;
  /** Of the whole file, hex. */
  readonly sha256: string;
  /** When its publisher issued it, `YYYY-MM-DD`. */
  readonly issued_on: string;
  /** Wall time of the newest moment at which this was the newest list known, ISO 8601. */
  readonly as_of: string;
  readonly wallets: number;
}

/** What tests say of the list’s age, whatever it is. */
export type ListAge = 'fresh' | 'stale' | 'empty';

export interface ListImported {
  readonly type: 'ListImported';
  readonly data: ImportedList;
}
export interface ListAgeArranged {
  readonly type: 'ListAgeArranged';
  readonly data: { readonly age: ListAge };
}
export interface WalletSanctioned {
  readonly type: 'WalletSanctioned';
  readonly data: { readonly wallet: string };
}
export interface WalletCleared {
  readonly type: 'WalletCleared';
  readonly data: { readonly wallet: string };
}
export type SanctionsEvent = ListImported | ListAgeArranged | WalletSanctioned | WalletCleared;

export interface KnownSanctions {
  readonly status: 'known';
  readonly list: ImportedList | null;
  /** Null but in tests. */
  readonly arranged_age: ListAge | null;
  /** By tests. */
  readonly arranged_wallets: readonly string[];
}
export type Sanctions = { readonly status: 'unknown' } | KnownSanctions;

export interface ImportList {
  readonly type: 'ImportList';
  readonly list: ImportedList;
}
export interface ArrangeAge {
  readonly type: 'ArrangeAge';
  readonly age: ListAge;
}
export interface ArrangeWallet {
  readonly type: 'ArrangeWallet';
  readonly wallet: string;
  readonly sanctioned: boolean;
}

const UNKNOWN: Sanctions = { status: 'unknown' };
const NOTHING: KnownSanctions = {
  status: 'known',
  list: null,
  arranged_age: null,
  arranged_wallets: [],
};

/** Which list counts, for all replicas: one stream. */
export const sanctionsDecider = {
  initial: UNKNOWN,
  evolve: evolveSanctions,
  decide: { ImportList: importList, ArrangeAge: arrangeAge, ArrangeWallet: arrangeWallet },
} satisfies Decider<Sanctions, SanctionsEvent>;

const knownOf = (state: Sanctions): KnownSanctions => (state.status === 'known' ? state : NOTHING);

function evolveSanctions(state: Sanctions, event: SanctionsEvent): Sanctions {
  const known = knownOf(state);
  switch (event.type) {
    case 'ListImported':
      return { ...known, list: event.data };
    case 'ListAgeArranged':
      return { ...known, arranged_age: event.data.age };
    case 'WalletSanctioned': {
      const others = known.arranged_wallets.filter((wallet) => wallet !== event.data.wallet);
      return { ...known, arranged_wallets: [...others, event.data.wallet] };
    }
    case 'WalletCleared': {
      const left = known.arranged_wallets.filter((wallet) => wallet !== event.data.wallet);
      return { ...known, arranged_wallets: left };
    }
    default:
      return state;
  }
}

/** A list never takes the place of one that was issued later, or on its day and was seen later. */
function importList(
  { list }: ImportList,
  state: Sanctions,
): Decision<SanctionsEvent, 'list_issued_earlier'> {
  const before = knownOf(state).list;
  if (before && before.issued_on > list.issued_on) return refuse('list_issued_earlier');
  const is_known = before?.issued_on === list.issued_on && before.as_of >= list.as_of;
  if (is_known) return accept<SanctionsEvent>();
  return accept<SanctionsEvent>({ type: 'ListImported', data: list });
}

function arrangeAge({ age }: ArrangeAge): Decision<SanctionsEvent, never> {
  return accept<SanctionsEvent>({ type: 'ListAgeArranged', data: { age } });
}

function arrangeWallet(
  { wallet, sanctioned }: ArrangeWallet,
  state: Sanctions,
): Decision<SanctionsEvent, never> {
  if (knownOf(state).arranged_wallets.includes(wallet) === sanctioned)
    return accept<SanctionsEvent>();
  return accept<SanctionsEvent>({
    type: sanctioned ? 'WalletSanctioned' : 'WalletCleared',
    data: { wallet },
  });
}

export const LIST_FRESH_MS = 24 * 60 * 60 * 1000;

/** How the list stands, for a wall time in milliseconds; `as_of_ms` is the list’s own. */
export function listAge(
  state: Sanctions,
  age_ms: (iso: string) => number,
  counts_as_fresh: boolean,
): ListAge {
  const { list, arranged_age } = knownOf(state);
  if (arranged_age !== null) return arranged_age;
  if (list === null || list.wallets === 0) return 'empty';
  return counts_as_fresh || age_ms(list.as_of) <= LIST_FRESH_MS ? 'fresh' : 'stale';
}
