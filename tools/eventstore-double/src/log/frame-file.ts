import { closeSync, fdatasync, fstatSync, ftruncateSync, openSync, readSync, write } from 'node:fs';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';

const HEAD_BYTES = 8;
const CHUNK_BYTES = 4 << 20;

/** A frame that was found at start. */
export interface Frame {
  readonly offset: number;
  readonly length: number;
  readonly body: Buffer;
}

const writeAll = promisify(write);
const sync = promisify(fdatasync);

/**
 * An append-only file of frames: 4 bytes length, 4 bytes CRC-32, body. Frames that are added while a
 * write and its sync are under way share the next one; no caller is answered before its frame is on the disk.
 */
export class FrameFile {
  private readonly file: number;
  private size: number;
  private waiting: Buffer[] = [];
  private flushing: Promise<void> | null = null;

  constructor(
    path: string,
    /** Everything up to this offset is on the disk. */
    private readonly onDisk: (end: number) => void,
  ) {
    this.file = openSync(path, 'a+', 0o600);
    this.size = fstatSync(this.file).size;
  }

  get end(): number {
    return this.size;
  }

  /** Answers with the offset that the frame gets. */
  add(body: Buffer): number {
    const offset = this.size;
    const head = Buffer.alloc(HEAD_BYTES);
    head.writeUInt32BE(body.length, 0);
    head.writeUInt32BE(crc32(body), 4);
    this.waiting.push(head, body);
    this.size += HEAD_BYTES + body.length;
    return offset;
  }

  /** Resolves when every frame that was added before is on the disk. */
  async flushed(): Promise<void> {
    while (this.flushing || this.waiting.length > 0) {
      this.flushing ??= this.flush().finally(() => {
        this.flushing = null;
      });
      await this.flushing;
    }
  }

  private async flush(): Promise<void> {
    // The end of this turn of the event loop: what arrives together is written together.
    await new Promise((resolve) => setImmediate(resolve));
    const bytes = Buffer.concat(this.waiting);
    const end = this.size;
    this.waiting = [];
    for (let written = 0; written < bytes.length; ) {
      written += (await writeAll(this.file, bytes, written)).bytesWritten;
    }
    await sync(this.file);
    this.onDisk(end);
  }

  read(offset: number, length: number): Buffer {
    const body = Buffer.alloc(length);
    readSync(this.file, body, 0, length, offset + HEAD_BYTES);
    return body;
  }

  /** Whole frames from the beginning; ends at the first one that is torn. */
  *frames(): Generator<Frame> {
    let buffer: Buffer = Buffer.alloc(0);
    let offset = 0;
    let read_to = 0;
    for (;;) {
      const length = buffer.length >= HEAD_BYTES ? buffer.readUInt32BE(0) : 0;
      if (buffer.length < HEAD_BYTES + length || buffer.length < HEAD_BYTES) {
        if (read_to >= this.size) return;
        const chunk = Buffer.alloc(Math.min(Math.max(CHUNK_BYTES, length), this.size - read_to));
        read_to += readSync(this.file, chunk, 0, chunk.length, read_to);
        buffer = Buffer.concat([buffer, chunk]);
        continue;
      }
      const body = buffer.subarray(HEAD_BYTES, HEAD_BYTES + length);
      if (buffer.readUInt32BE(4) !== crc32(body)) return;
      yield { offset, length, body };
      offset += HEAD_BYTES + length;
      buffer = buffer.subarray(HEAD_BYTES + length);
    }
  }

  /** Forgets what follows: a write that was cut short. */
  cut(offset: number): void {
    ftruncateSync(this.file, offset);
    this.size = offset;
  }

  async close(): Promise<void> {
    await this.flushed();
    closeSync(this.file);
  }
}
