import type { ServerWritableStream } from '@grpc/grpc-js';
import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb';

/** One answer of many messages, no faster than its reader takes them. */
export class Speaker {
  private ended = false;
  private silent = false;
  private more = false;
  private endRest: (() => void) | null = null;

  constructor(private readonly call: ServerWritableStream<ReadReq, ReadResp>) {
    const end = (): void => {
      this.ended = true;
      this.wake();
    };
    call.on('cancelled', end);
    call.on('close', end);
    call.on('error', end);
    call.on('drain', () => this.wake());
  }

  get over(): boolean {
    return this.ended;
  }

  silence(): void {
    this.silent = true;
  }

  /** False when the reader has gone. */
  async say(message: ReadResp): Promise<boolean> {
    if (this.ended) return false;
    if (!this.silent && !this.call.write(message)) {
      while (!this.ended && this.call.writableNeedDrain) await this.woken();
    }
    return !this.ended;
  }

  wake(): void {
    this.more = true;
    this.endRest?.();
  }

  /** Until something has happened since the last time. */
  async woken(): Promise<void> {
    if (!this.more && !this.ended) {
      await new Promise<void>((resolve) => {
        this.endRest = resolve;
      });
      this.endRest = null;
    }
    this.more = false;
  }
}
