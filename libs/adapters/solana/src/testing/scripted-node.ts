import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { Log } from '@tender/eventing';
import { solanaChain, type SolanaChainOptions } from '../solana-chain';

const silentLog: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };
export const MINTS = {
  USDC: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  USDT: 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB',
};

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- parameters as the wire has them
type Params = readonly any[];
/** The result; `{ fault }` for an error of the RPC, `{ status }` for one of HTTP, which `{ text }` may word. */
export type Method = (params: Params) => unknown;
interface Wrong {
  readonly fault?: object | string;
  readonly status?: number;
  readonly text?: string;
}

/** A node whose answers a test writes. It counts what it was asked. */
export class ScriptedNode {
  readonly asked: Record<string, number> = {};
  genesis = 'genesis';
  methods: Record<string, Method> = {};
  /** Takes requests and answers none. */
  hangs = false;
  private readonly server: Server;

  constructor() {
    this.server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Call | Call[];
        if (this.hangs) return;
        const answers = (Array.isArray(body) ? body : [body]).map((call) => this.answer(call));
        const wrong = answers.find(({ status }) => status !== undefined);
        const { status } = wrong ?? {};
        response.statusCode = status ?? 200;
        const text = JSON.stringify(Array.isArray(body) ? answers : answers[0]);
        const gzip = request.headers['accept-encoding'] === 'gzip';
        if (gzip) response.setHeader('content-encoding', 'gzip');
        response.end(status ? (wrong?.text ?? '') : gzip ? gzipSync(text) : text);
      });
    });
    // A test that is held up must not find its connection closed.
    this.server.keepAliveTimeout = 0;
  }

  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private answer({ id, method, params }: Call): { id: number; status?: number; text?: string } {
    this.asked[method] = (this.asked[method] ?? 0) + 1;
    if (method === 'getGenesisHash') return { id, result: this.genesis } as never;
    const answer = this.methods[method]?.(params) as Wrong | null;
    if (answer?.status) return { id, status: answer.status, text: answer.text ?? '' };
    return (answer?.fault ? { id, error: answer.fault } : { id, result: answer }) as never;
  }
}
interface Call {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** Chains over nodes that a test scripts, in a wall time that it moves. */
export class ScriptedNodes {
  readonly nodes: ScriptedNode[] = [];
  wall = 1_000_000;
  private readonly opened: { close(): Promise<void> }[] = [];

  async chain(count: number, options: Partial<SolanaChainOptions> = {}) {
    const endpoints: string[] = [];
    for (let index = 0; index < count; index += 1) {
      const node = new ScriptedNode();
      this.nodes.push(node);
      endpoints.push(await node.open());
    }
    const clock = { now: () => this.wall, wall: () => this.wall };
    const chain = solanaChain({
      ...{ network: 'localnet', commitment: 'confirmed', mints: MINTS, endpoints, clock },
      log: silentLog,
      ...options,
    });
    this.opened.push(chain);
    return chain;
  }

  async close(): Promise<void> {
    for (const chain of this.opened.splice(0)) await chain.close();
    for (const node of this.nodes.splice(0)) node.close();
    this.wall = 1_000_000;
  }
}
