import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool, type Dispatcher } from 'undici';
import { clientAddress } from './client-address';
import { Histogram } from './histogram';
import type { LoadResult, LoadSpec, OrderKind } from './load-spec';

const TICK_MS = 1;
/** An answer that takes longer counts as none. */
const PATIENCE_MS = 20_000;

/** One run of a load against one server. */
export class LoadRun {
  private readonly pool: Pool;
  private readonly histogram = new Histogram();
  private readonly failures: Record<string, number> = {};
  private readonly headers: readonly string[];
  /** Makes the keys of this run differ from those of any other. */
  private readonly mark = randomBytes(6).toString('hex');
  private sent = 0;
  private accepted = 0;
  private timed = 0;
  private underway = 0;
  private timed_from = Infinity;
  private timed_until = Infinity;

  constructor(private readonly spec: LoadSpec) {
    this.pool = new Pool(spec.url, {
      connections: spec.connections,
      pipelining: 1,
      headersTimeout: PATIENCE_MS,
      bodyTimeout: PATIENCE_MS,
    });
    this.headers = Object.entries(spec.request.headers).flat();
  }

  async run(): Promise<LoadResult> {
    const { warmup_ms, timed_ms, rate } = this.spec;
    this.timed_from = performance.now() + warmup_ms;
    this.timed_until = this.timed_from + timed_ms;
    if (rate) await this.arrivals(rate);
    else await this.circles();
    await this.pool.close();
    return {
      rps: this.timed / (timed_ms / 1000),
      p50: this.histogram.quantile(0.5),
      p99: this.histogram.quantile(0.99),
      max: this.histogram.quantile(1),
      answers: this.timed,
      accepted: this.accepted,
      failures: this.failures,
    };
  }

  /** Closed loop: each connection sends its next request when it has its answer. */
  private async circles(): Promise<void> {
    await Promise.all(
      Array.from({ length: this.spec.connections }, async () => {
        while (performance.now() < this.timed_until) await this.send(performance.now());
      }),
    );
  }

  /** Open loop: arrivals at a steady rate; the wait of one that has to wait counts in its latency. */
  private async arrivals(rate: number): Promise<void> {
    const began = performance.now();
    for (let due = 0; ; await sleep(TICK_MS)) {
      const now = performance.now();
      const until = Math.min(now, this.timed_until);
      for (; began + (due * 1000) / rate < until; due += 1) {
        void this.send(began + (due * 1000) / rate);
      }
      if (now >= this.timed_until) break;
    }
    while (this.underway > 0) await sleep(TICK_MS);
  }

  private send(from_ms: number): Promise<void> {
    this.underway += 1;
    return new Promise((resolve) => {
      let status = 0;
      let bare = '';
      const done = (problem: string | null) => {
        this.underway -= 1;
        this.count(from_ms, problem);
        resolve();
      };
      this.pool.dispatch(this.nextRequest(), {
        onRequestStart: () => undefined,
        onResponseStart: (_, code, headers) => {
          status = code;
          bare = code >= 400 && headers['retry-after'] === undefined ? ' without Retry-After' : '';
        },
        onResponseData: () => undefined,
        onResponseEnd: () => done(status >= 200 && status < 300 ? null : `${status}${bare}`),
        onResponseError: (_, error) => done((error as { code?: string }).code ?? error.name),
      });
    });
  }

  private nextRequest(): Dispatcher.DispatchOptions {
    const { method, paths, body, forwarded } = this.spec.request;
    const number = (this.sent += 1);
    const path = paths[number % paths.length] as string;
    const headers = [...this.headers];
    if (forwarded) headers.push('x-forwarded-for', clientAddress(number));
    if (body === 'none') return { method, path, headers };
    headers.push('idempotency-key', `${this.mark}-${number}`);
    return { method, path, headers, body: ORDERS[body](number) };
  }

  private count(from_ms: number, problem: string | null): void {
    const now = performance.now();
    if (problem !== null) {
      this.failures[problem] = (this.failures[problem] ?? 0) + 1;
      return;
    }
    this.accepted += 1;
    if (now < this.timed_from) return;
    // An arrival of the timed part counts, however late its answer is; where only goodput does, only in time.
    const late = !this.spec.rate || this.spec.goodput;
    if (late ? now > this.timed_until : from_ms < this.timed_from) return;
    this.timed += 1;
    this.histogram.add(now - from_ms);
  }
}

/** An invoice as a merchant would send it: about 150 bytes. */
const invoiceOrder = (number: number): string =>
  `{"customer_email":"customer-${number % 500}@example.com","amount":${10 + (number % 90)}.5,` +
  `"description":"Work ${number}","metadata":{"order":"${number}"}}`;

/** An order as a shop would send it: about 150 bytes. */
export const paymentOrder = (number: number): string =>
  `{"amount":${10 + (number % 90)}.5,"currency":"USD","token":"USDC",` +
  `"description":"Order ${number}","metadata":{"order":"${number}","basket":"three items"}}`;

const customerOrder = (number: number): string =>
  paymentOrder(number).replace('{', `{"customer_email":"customer-${number}@example.com",`);

const ORDERS: Readonly<Record<OrderKind, (number: number) => string>> = {
  ...{ payment: paymentOrder, customer: customerOrder, invoice: invoiceOrder },
};
