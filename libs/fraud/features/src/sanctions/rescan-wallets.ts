import { flagIds, newId } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { BLOCK_FROM, severityOf, type FlagTerms, type ImportedList } from '@tender/fraud-domain';
import { isoTime, type Mode } from '@tender/kernel';
import { flag } from '../flags/flag.aggregate';
import { currentList } from './import-list';

/** Business time. */
export const RESCANNED_MS = 90 * 24 * 60 * 60 * 1000;
/** Of what is done a person judges: nothing is blocked. */
const SCORE = BLOCK_FROM - 1;
const WALLETS_MAX = 100;

/** A wallet that is on the list, and the newest payment that it has made, or was given a transaction for. */
interface ListedWallet {
  readonly mode: Mode;
  readonly wallet: string;
  readonly payment_id: string;
  readonly merchant_id: string;
  readonly amount_usd_cents: string;
}

const NEXT = `select distinct on (mode, wallet) mode, wallet, payment_id, merchant_id, amount_usd_cents::text
  from (
    select mode, wallet, payment_id, merchant_id, amount_usd_cents, paid_at_ms as at_ms from fraud.paying_wallets
    union all
    select mode, customer_wallet, payment_id, merchant_id, amount_usd_cents, at_ms from fraud.screenings
    where stage = 'build' and action <> 'block' and customer_wallet is not null
  ) as known join fraud.sanctioned_wallets as listed using (wallet)
  where list_id = $1 and at_ms > $2 and (mode, wallet) > ($3, $4)
  order by mode, wallet, at_ms desc limit $5`;

type Rescanning = Pick<Runtime, 'eventStore' | 'readModels' | 'clock' | 'random' | 'keyRing'>;

/**
 * Raises a flag for each wallet that the list in force names and that has paid, or was let build, within the last
 * 90 days. A payment and a wallet have one such flag, however many lists name it; a list is gone through once, and
 * from its beginning where that was cut short. Resolves early once `signal` says so.
 */
export async function rescanWallets(
  runtime: Rescanning,
  signal: AbortSignal,
  wallets_max = WALLETS_MAX,
): Promise<void> {
  const { readModels, clock } = runtime;
  const list = await currentList(runtime);
  if (list === null || (await isRescanned(runtime, list))) return;
  const since_ms = clock.now() - RESCANNED_MS;
  let found: readonly ListedWallet[] = [];
  do {
    const { mode, wallet } = found.at(-1) ?? { mode: '', wallet: '' };
    found = await readModels.query<ListedWallet>(NEXT, [
      ...[list.list_id, since_ms, mode, wallet, wallets_max],
    ]);
    for (const listed of found) {
      if (signal.aborted) return;
      await raise(runtime, list, listed);
    }
  } while (found.length === wallets_max);
  await readModels.query('update fraud.sanctions_lists set rescanned = true where list_id = $1', [
    list.list_id,
  ]);
}

async function isRescanned(
  { readModels }: Rescanning,
  { list_id }: ImportedList,
): Promise<boolean> {
  const rows = await readModels.query(
    'select 1 from fraud.sanctions_lists where list_id = $1 and rescanned',
    [list_id],
  );
  return rows.length > 0;
}

async function raise(runtime: Rescanning, list: ImportedList, listed: ListedWallet): Promise<void> {
  const { keyRing, random, clock } = runtime;
  const { mode, wallet, payment_id, merchant_id, amount_usd_cents } = listed;
  const flag_id = newId(flagIds, mode, keyRing.idBytes(`rescan|${payment_id}|${wallet}`));
  const reason = { code: 'sanctions_rescan', weight: SCORE, observed: 1, threshold: 1 };
  const terms: FlagTerms = {
    ...{ flag_id, payment_id, merchant_id, mode, stage: 'build', action: 'review', score: SCORE },
    ...{ severity: severityOf(SCORE), rule: reason.code, reasons: [reason] },
    ...{ customer_wallet: wallet, ip: null, amount_usd_cents },
    sanctions_list: { sha256: list.sha256, issued_on: list.issued_on },
    // Only its id was kept.
    ...{ payment: null, webhook_url: null },
    created_at: isoTime(clock.now()),
  };
  await flag.handle(
    runtime,
    mode,
    flag_id,
    { type: 'RaiseFlag', terms },
    {
      command_id: `rescan|${list.list_id}|${flag_id}`,
      ...{ body_hash: null, merchant_id, actor: 'system:fraud.rescan-wallets' },
      ...{ correlation_id: random.uuid(), causation_id: null, subject_ids: [] },
    },
  );
}
