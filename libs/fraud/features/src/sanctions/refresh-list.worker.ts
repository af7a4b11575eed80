import { setTimeout as sleep } from 'node:timers/promises';
import type { Runtime, Worker } from '@tender/eventing';
import { isoTime } from '@tender/kernel';
import { currentList, importList, type ListSource } from './import-list';
import { SAMPLE_LIST } from './sample-list';

/** Twice a day: a list is stale after one. */
const REFRESH_EVERY_MS = 12 * 60 * 60 * 1000;
const RETRY_EVERY_MS = 10 * 60 * 1000;

/** Imports the list when this replica begins to lead, and again in time. Ages are in wall time. */
export class RefreshList implements Worker {
  readonly name = 'fraud.refresh-list';
  private readonly stopped = new AbortController();
  private running: Promise<void> = Promise.resolve();
  private attempt: Promise<boolean> = Promise.resolve(true);

  constructor(
    private readonly runtime: Pick<
      Runtime,
      'eventStore' | 'readModels' | 'clock' | 'random' | 'log' | 'sources'
    >,
    /** File or URL; null: the sample that is shipped. */
    private readonly place: string | null,
  ) {}

  /** The sample is there before the first payment; a list of the world may take a minute. */
  async start(): Promise<void> {
    if (this.place === null) return this.takeSample();
    this.running = this.refresh(this.place);
  }

  /** Resolves once the import that is under way has ended, well or not. */
  async attempted(): Promise<void> {
    await this.attempt;
  }

  async stop(): Promise<void> {
    this.stopped.abort();
    await this.running;
  }

  /** Nothing here is due in business time. */
  nextDue(): Promise<number | null> {
    return Promise.resolve(null);
  }

  idle(): Promise<void> {
    return Promise.resolve();
  }

  private async takeSample(): Promise<void> {
    const current = await currentList(this.runtime);
    if (current && current.as_of >= SAMPLE_LIST.as_of) return;
    await importList(this.runtime, {
      as_of: SAMPLE_LIST.as_of,
      chunks: bytesOf(SAMPLE_LIST.bytes),
    });
  }

  private async refresh(place: string): Promise<void> {
    const { signal } = this.stopped;
    while (!signal.aborted) {
      this.attempt = this.importFrom(place);
      const rest_ms = (await this.attempt) ? REFRESH_EVERY_MS : RETRY_EVERY_MS;
      await sleep(rest_ms, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** A list that cannot be had, or is broken, leaves the one before in force until that is stale. */
  private async importFrom(place: string): Promise<boolean> {
    const { sources, log } = this.runtime;
    try {
      const { chunks, as_of_ms } = await sources.open(place, this.stopped.signal);
      const source: ListSource = { chunks, as_of: isoTime(as_of_ms) };
      const { list } = await importList(this.runtime, source);
      const { sha256, issued_on, wallets } = list;
      log.info({ sha256, issued_on, wallets }, 'a sanctions list was imported');
      return true;
    } catch (error) {
      const { name, message } = error as Error;
      if (!this.stopped.signal.aborted) {
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
