import { isUrl, Rounds, type Runtime, type Worker } from '@tender/eventing';
import { isoTime } from '@tender/kernel';
import { confirmList, currentList, importList, type ListSource } from './import-list';
import { rescanWallets } from './rescan-wallets';
import { SAMPLE_LIST } from './sample-list';

/** How long after one look at a place the next one comes. */
interface Looks {
  /** Only whether the file has changed. */
  readonly file_ms: number;
  /** The whole list, where its server cannot tell whether it has changed. */
  readonly url_ms: number;
  /** After a failure; a file that was refused is read again as late as that, unless it has changed. */
  readonly retry_ms: number;
}

const MINUTE_MS = 60 * 1000;
/** A list should be 6 hours old at most, one of 24 counts no more: failures in a row leave time for more looks. */
export const LOOKS: Looks = {
  file_ms: MINUTE_MS,
  url_ms: 3 * 60 * MINUTE_MS,
  retry_ms: 10 * MINUTE_MS,
};

/** What the place had when it was last read. */
interface Seen {
  readonly version: string | null;
  readonly as_of: string;
  /** Null: it was refused. */
  readonly sha256: string | null;
  readonly read_at_ms: number;
}

/** Imports the list when this replica begins to lead, and whenever another one is there. Ages are in wall time. */
export class RefreshList implements Worker {
  readonly name = 'fraud.refresh-list';
  /** Null: the sample needs no refreshing. */
  private readonly rounds: Rounds | null;
  private attempt: Promise<boolean> = Promise.resolve(true);
  private seen: Seen | null = null;
  /** At the beginning, too: a leader before may have been cut short. */
  private is_rescan_due = true;

  constructor(
    private readonly runtime: Pick<
      Runtime,
      'eventStore' | 'readModels' | 'clock' | 'random' | 'keyRing' | 'log' | 'sources'
    >,
    /** File or URL; null: the sample that is shipped. */
    place: string | null,
    private readonly looks = LOOKS,
  ) {
    this.rounds =
      place === null
        ? null
        : new Rounds(
            (signal) => this.refresh(place, signal),
            () => looks.retry_ms,
          );
  }

  /** The sample is there before the first payment; a list of the world may take a minute. */
  async start(): Promise<void> {
    if (this.rounds === null) return this.takeSample();
    this.rounds.start();
  }

  /** Resolves once the look that is under way has ended, well or not. */
  async attempted(): Promise<void> {
    await this.attempt;
  }

  async stop(): Promise<void> {
    await this.rounds?.stop();
  }

  private async takeSample(): Promise<void> {
    const current = await currentList(this.runtime);
    if (current && current.as_of >= SAMPLE_LIST.as_of) return;
    await importList(this.runtime, {
      as_of: SAMPLE_LIST.as_of,
      chunks: bytesOf(SAMPLE_LIST.bytes),
    });
  }

  private async refresh(place: string, signal: AbortSignal): Promise<number> {
    const { file_ms, url_ms, retry_ms } = this.looks;
    this.attempt = this.lookAndRescan(place, signal);
    const is_well = await this.attempt;
    if (!isUrl(place)) return file_ms;
    return is_well ? url_ms : retry_ms;
  }

  private async lookAndRescan(place: string, signal: AbortSignal): Promise<boolean> {
    const is_well = await this.look(place, signal);
    return (await this.rescan(signal)) && is_well;
  }

  private async rescan(signal: AbortSignal): Promise<boolean> {
    if (!this.is_rescan_due) return true;
    try {
      await rescanWallets(this.runtime, signal);
      this.is_rescan_due = signal.aborted;
      return true;
    } catch (error) {
      const { name, message } = error as Error;
      this.runtime.log.error(
        { fault: name, reason: message },
        'wallets that have paid were not held to the new sanctions list; it is tried again',
      );
      return false;
    }
  }

  /** A list that cannot be had, or is broken, leaves the one before in force until that is stale. */
  private async look(place: string, signal: AbortSignal): Promise<boolean> {
    const { sources, log } = this.runtime;
    try {
      const known = this.isDue() ? null : (this.seen?.version ?? null);
      const { chunks, as_of_ms, version } = await sources.open(place, signal, known);
      const as_of = isoTime(as_of_ms);
      if (chunks === null) return await this.confirm(as_of);
      this.seen = { version, as_of, sha256: null, read_at_ms: this.runtime.clock.wall() };
      await this.import({ chunks, as_of });
      return true;
    } catch (error) {
      const { name, message } = error as Error;
      if (!signal.aborted) {
        log.error(
          { fault: name, reason: message },
          'the sanctions list was not imported; check SANCTIONS_LIST',
        );
      }
      return false;
    }
  }

  /** What was refused may have been for a reason that is over. */
  private isDue(): boolean {
    if (this.seen === null || this.seen.sha256 !== null) return false;
    return this.runtime.clock.wall() - this.seen.read_at_ms >= this.looks.retry_ms;
  }

  private async import(source: ListSource): Promise<void> {
    const { list, read_sha256 } = await importList(this.runtime, source);
    if (this.seen) this.seen = { ...this.seen, sha256: read_sha256 };
    this.is_rescan_due = true;
    const { sha256, issued_on, wallets } = list;
    this.runtime.log.info({ sha256, issued_on, wallets }, 'a sanctions list was imported');
  }

  /** The place has what it had: that makes a list of a URL fresher, and costs nothing for a file. */
  private async confirm(as_of: string): Promise<boolean> {
    const { seen } = this;
    if (seen === null || seen.sha256 === null) return false;
    if (seen.as_of === as_of) return true;
    const is_in_force = await confirmList(this.runtime, seen.sha256, as_of);
    this.seen = is_in_force ? { ...seen, as_of } : null;
    if (!is_in_force) this.rounds?.wake();
    return is_in_force;
  }
}

async function* bytesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
