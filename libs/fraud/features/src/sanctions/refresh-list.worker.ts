import { Rounds, type Runtime, type Worker } from '@tender/eventing';
import { isoTime } from '@tender/kernel';
import { currentList, importList, type ListSource } from './import-list';
import { SAMPLE_LIST } from './sample-list';

/** Twice a day: a list is stale after one. */
const REFRESH_EVERY_MS = 12 * 60 * 60 * 1000;
const RETRY_EVERY_MS = 10 * 60 * 1000;

/** Imports the list when this replica begins to lead, and again in time. Ages are in wall time. */
export class RefreshList implements Worker {
  readonly name = 'fraud.refresh-list';
  /** Null: the sample needs no refreshing. */
  private readonly rounds: Rounds | null;
  private attempt: Promise<boolean> = Promise.resolve(true);

  constructor(
    private readonly runtime: Pick<
      Runtime,
      'eventStore' | 'readModels' | 'clock' | 'random' | 'log' | 'sources'
    >,
    /** File or URL; null: the sample that is shipped. */
    place: string | null,
  ) {
    this.rounds =
      place === null
        ? null
        : new Rounds(
            (signal) => this.refresh(place, signal),
            () => RETRY_EVERY_MS,
          );
  }

  /** The sample is there before the first payment; a list of the world may take a minute. */
  async start(): Promise<void> {
    if (this.rounds === null) return this.takeSample();
    this.rounds.start();
  }

  /** Resolves once the import that is under way has ended, well or not. */
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
    this.attempt = this.importFrom(place, signal);
    return (await this.attempt) ? REFRESH_EVERY_MS : RETRY_EVERY_MS;
  }

  /** A list that cannot be had, or is broken, leaves the one before in force until that is stale. */
  private async importFrom(place: string, signal: AbortSignal): Promise<boolean> {
    const { sources, log } = this.runtime;
    try {
      const { chunks, as_of_ms } = await sources.open(place, signal);
      const source: ListSource = { chunks, as_of: isoTime(as_of_ms) };
      const { list } = await importList(this.runtime, source);
      const { sha256, issued_on, wallets } = list;
      log.info({ sha256, issued_on, wallets }, 'a sanctions list was imported');
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
}

async function* bytesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
