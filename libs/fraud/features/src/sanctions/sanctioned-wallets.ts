import type { Runtime } from '@tender/eventing';
import {
  listAge,
  type ImportedList,
  type KnownSanctions,
  type ListAge,
  type Sanctions,
} from '@tender/fraud-domain';
import { invariant, timeOf } from '@tender/kernel';
import { LiveCopy } from '../live-copy/live-copy';
import { SAMPLE_LIST } from './sample-list';
import { sanctions, THE_LIST } from './sanctions.aggregate';

/** The list that counts, in the memory of this replica: whole or, until it has been read whole, the one before. */
export class SanctionedWallets {
  readonly copy: LiveCopy<typeof import('@tender/fraud-domain').sanctionsDecider>;
  private state: Sanctions = { status: 'unknown' };
  private read: { readonly list_id: string; readonly wallets: ReadonlySet<string> } | null = null;

  constructor(
    private readonly runtime: Pick<Runtime, 'eventStore' | 'readModels' | 'clock' | 'chains'>,
  ) {
    this.copy = new LiveCopy(runtime, sanctions, (states) => this.take(states.get(THE_LIST)));
  }

  /** The shipped sample counts as fresh where money is not real: on local chains. */
  age(): ListAge {
    const is_sample = this.list()?.sha256 === SAMPLE_LIST.sha256;
    const is_local = this.runtime.chains.live.network === 'localnet';
    const wall_ms = this.runtime.clock.wall();
    return listAge(this.state, (iso) => wall_ms - timeOf(iso), is_sample && is_local);
  }

  /** The very wallet: letters in base58 have a case. */
  has(wallet: string): boolean {
    if (this.state.status === 'unknown') return false;
    return this.read?.wallets.has(wallet) === true || this.state.arranged_wallets.includes(wallet);
  }

  list(): ImportedList | null {
    return this.state.status === 'unknown' ? null : this.state.list;
  }

  private async take(state: KnownSanctions | undefined): Promise<void> {
    if (!state) return;
    const { list } = state;
    if (list && list.list_id !== this.read?.list_id) {
      const rows = await this.runtime.readModels.query<{ wallet: string }>(
        'select wallet from fraud.sanctioned_wallets where list_id = $1',
        [list.list_id],
      );
      invariant(rows.length === list.wallets, 'an imported list is in its table, whole');
      this.read = { list_id: list.list_id, wallets: new Set(rows.map(({ wallet }) => wallet)) };
    }
    this.state = state;
  }
}
