import { Worker } from 'node:worker_threads';
import type { ChainBlock } from '@tender/eventing';
import {
  DECODER_THREAD,
  decodeBlock,
  readBlock,
  type FromDecoder,
  type RpcFault,
  type ToDecoder,
} from './decode-block';

/** Bytes of a getBlock answer above which parsing would hold up requests: about 2 ms of parsing. */
const INLINE_BYTES_MAX = 256 * 1024;

/** A node's answer to getBlock: the block, its absence, or an error of the node. */
export type BlockAnswer = { readonly block: ChainBlock | null } | { readonly fault: RpcFault };

export interface BlockDecoder {
  decode(
    slot: number,
    body: Uint8Array,
    gzip: boolean,
    keep: (key: string) => boolean,
  ): Promise<BlockAnswer>;
  close(): Promise<void>;
}

interface Pending {
  readonly keep: (key: string) => boolean;
  readonly resolve: (answer: BlockAnswer) => void;
  readonly reject: (error: Error) => void;
}

/** Small blocks are decoded here and now; big ones in a worker thread, which is started at the first. */
export function blockDecoder(inline_bytes_max = INLINE_BYTES_MAX): BlockDecoder {
  const pending = new Map<number, Pending>();
  let thread: Worker | null = null;
  let next_id = 1;
  return { decode, close };

  async function decode(
    slot: number,
    body: Uint8Array,
    gzip: boolean,
    keep: (key: string) => boolean,
  ): Promise<BlockAnswer> {
    if (body.byteLength > inline_bytes_max) return inThread(slot, body, gzip, keep);
    const read = readBlock(body, gzip);
    if ('error' in read) return { fault: read.error };
    if (!read.block) return { block: null };
    return { block: decodeBlock(read.block, slot, new Set(read.keys.filter(keep))) };
  }

  function inThread(slot: number, body: Uint8Array, gzip: boolean, keep: Pending['keep']) {
    return new Promise<BlockAnswer>((resolve, reject) => {
      const id = next_id++;
      pending.set(id, { keep, resolve, reject });
      // A copy of its own: a pooled buffer must not be taken away from its neighbours.
      const bytes = Uint8Array.from(body);
      const message: ToDecoder = { id, slot, body: bytes, gzip };
      startedThread().postMessage(message, [bytes.buffer as ArrayBuffer]);
    });
  }

  function startedThread(): Worker {
    if (thread) return thread;
    const started = new Worker(__filename.replace(/block-decoder(\.[jt]s)$/, 'decode-block$1'), {
      workerData: DECODER_THREAD,
    });
    started.unref();
    started.on('message', (message: FromDecoder) => onMessage(started, message));
    started.on('error', (error) => onEnd(started, error));
    started.on('exit', () => onEnd(started, new Error('the block decoder ended')));
    thread = started;
    return started;
  }

  function onMessage(from: Worker, message: FromDecoder): void {
    const waiting = pending.get(message.id);
    if (!waiting) return;
    if ('keys' in message) {
      const keys = message.keys === '' ? [] : message.keys.split('\n');
      from.postMessage({ id: message.id, wanted: keys.filter(waiting.keep) } satisfies ToDecoder);
      return;
    }
    pending.delete(message.id);
    if ('unreadable' in message) waiting.reject(new Error(message.unreadable));
    else waiting.resolve(message);
  }

  function onEnd(ended: Worker, error: Error): void {
    if (thread === ended) thread = null;
    for (const waiting of pending.values()) waiting.reject(error);
    pending.clear();
  }

  async function close(): Promise<void> {
    await thread?.terminate();
    thread = null;
  }
}
