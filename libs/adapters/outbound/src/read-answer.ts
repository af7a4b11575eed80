import type { Dispatcher } from 'undici';

type Headers = Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>[2];

/** 1xx answers before the one that counts; a receiver that sends more of them is not waited for. */
const INTERIM_MAX = 8;

/** The receiver sends interim answers and no other. */
export class TooManyInterim extends Error {
  override readonly name = 'TooManyInterim';
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The first bytes of the body as they came. */
  readonly body: Buffer;
  readonly body_cut: boolean;
}

/**
 * Reads a status line and the first `bytes_max` bytes of the body; then the connection is dropped. A body
 * that breaks off or runs into the deadline is cut there: the status line already counted.
 */
export class AnswerReader implements Dispatcher.DispatchHandler {
  private readonly chunks: Buffer[] = [];
  private length = 0;
  private interim = 0;
  private head: Pick<Answer, 'status' | 'headers'> | null = null;
  private controller: Dispatcher.DispatchController | null = null;
  private readonly settled = Promise.withResolvers<Answer>();

  constructor(
    private readonly bytes_max: number,
    private readonly deadline: AbortSignal,
  ) {
    deadline.addEventListener('abort', () => this.giveUp(deadline.reason as Error), { once: true });
  }

  /** Rejects when there is no status line. */
  get answer(): Promise<Answer> {
    return this.settled.promise;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.deadline.aborted) controller.abort(this.deadline.reason as Error);
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: Headers): void {
    if (status >= 200) this.head = { status, headers };
    else if ((this.interim += 1) > INTERIM_MAX) this.giveUp(new TooManyInterim());
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.chunks.push(chunk);
    this.length += chunk.length;
    if (this.length > this.bytes_max) this.giveUp(new Error('the answer is longer than is read'));
  }

  onResponseEnd(): void {
    this.end(false, null);
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.end(true, error);
  }

  private giveUp(reason: Error): void {
    this.end(true, reason);
    this.controller?.abort(reason);
  }

  /** Makes no error for an answer that came: Node would collect a stack for it, which costs as much as the request. */
  private end(body_cut: boolean, error: Error | null): void {
    if (!this.head) return this.settled.reject(error ?? new Error('the answer has no status'));
    const body = Buffer.concat(this.chunks).subarray(0, this.bytes_max);
    this.settled.resolve({ ...this.head, body, body_cut });
  }
}

/** Retry-After as whole seconds from now, whichever of its two forms was sent; null when unreadable. */
export function retryAfterSeconds(
  header: string | string[] | undefined,
  wall_ms: number,
): string | null {
  const text = (Array.isArray(header) ? header[0] : header)?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return text;
  const time_ms = /GMT$/.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(time_ms) ? null : String(Math.max(0, Math.ceil((time_ms - wall_ms) / 1000)));
}
