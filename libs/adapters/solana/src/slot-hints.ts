import { WebSocket, type RawData } from 'ws';

/**
 * This account changes with every block. Subscribed to at a commitment, it tells of each block when
 * that commitment shows it; `slotSubscribe` tells when a block begins, a while too early.
 */
const CLOCK_SYSVAR = 'SysvarC1ock11111111111111111111111111111111';
/** A chain that says nothing for so long has a dead line. */
const SILENCE_MS_MAX = 10_000;
const RETRY_MS_MIN = 250;
const RETRY_MS_MAX = 30_000;
const MESSAGE_BYTES_MAX = 64 * 1024;

export type SlotListener = (slot: number) => void;

interface Message {
  readonly method?: string;
  readonly params?: { readonly result?: { readonly context?: { readonly slot?: unknown } } };
  readonly error?: unknown;
}

/**
 * Newly readable slots, told over one node's websocket while there is a listener. Only hints: a line that
 * is dead, silent or refused is tried again at the next node, later each time, and no listener is told.
 */
export class SlotHints {
  private readonly urls: readonly string[];
  private readonly listeners = new Set<SlotListener>();
  private socket: WebSocket | null = null;
  private timer: NodeJS.Timeout | null = null;
  private failures = 0;

  constructor(
    endpoints: readonly string[],
    private readonly commitment: string,
  ) {
    this.urls = endpoints.map(websocketUrl);
  }

  listen(listener: SlotListener): () => void {
    this.listeners.add(listener);
    if (this.listeners.size === 1) this.connect();
    return () => {
      this.listeners.delete(listener);
      if (this.listeners.size === 0) this.close();
    };
  }

  close(): void {
    const { socket } = this;
    this.socket = null;
    socket?.terminate();
    this.wait(null);
  }

  private connect(): void {
    const url = this.urls[this.failures % this.urls.length] as string;
    const socket = new WebSocket(url, { maxPayload: MESSAGE_BYTES_MAX });
    this.socket = socket;
    socket.on('open', () => {
      const params = [CLOCK_SYSVAR, { commitment: this.commitment, encoding: 'base64' }];
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'accountSubscribe', params }));
    });
    socket.on('message', (data) => this.hear(socket, data));
    // `close` follows.
    socket.on('error', () => undefined);
    socket.on('close', () => this.lose(socket));
    this.wait(SILENCE_MS_MAX, () => socket.terminate());
  }

  private hear(socket: WebSocket, data: RawData): void {
    if (socket !== this.socket) return;
    const { method, params, error } = parse(data);
    if (error !== undefined) socket.terminate();
    const slot = params?.result?.context?.slot;
    if (method !== 'accountNotification' || !Number.isSafeInteger(slot)) return;
    this.failures = 0;
    this.wait(SILENCE_MS_MAX, () => socket.terminate());
    for (const listener of this.listeners) listener(slot as number);
  }

  private lose(socket: WebSocket): void {
    if (socket !== this.socket) return;
    this.socket = null;
    const rest = Math.min(RETRY_MS_MAX, RETRY_MS_MIN * 2 ** Math.min(this.failures, 10));
    this.failures += 1;
    this.wait(rest, () => this.connect());
  }

  /** One timer at a time; it keeps no process alive. */
  private wait(ms: number | null, then: () => void = () => undefined): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = ms === null ? null : setTimeout(then, ms).unref();
  }
}

/** Solana's convention: the same place, at the next port where the address names one. */
export function websocketUrl(rpc_url: string): string {
  const url = new URL(rpc_url);
  url.hash = '';
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  if (url.port) url.port = String(Number(url.port) + 1);
  return url.href;
}

function parse(data: RawData): Message {
  try {
    const message = JSON.parse(String(data)) as Message | null;
    return message ?? {};
  } catch {
    return {};
  }
}
