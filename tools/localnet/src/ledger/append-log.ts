import {
  closeSync, fdatasync, fstatSync, ftruncateSync, openSync, readSync, writeSync,
} from 'node:fs';
import { crc32 } from 'node:zlib';

/** Where one line of the log lies, in bytes from the start of the file. */
export interface LogPosition {
  readonly offset: number;
  readonly length: number;
}

export interface LogLine extends LogPosition {
  readonly header: string;
}

const CHUNK_BYTES = 1 << 20;
const NEWLINE = 0x0a;
const CRC_CHARACTERS = 8;

const checksum = (text: string | Buffer) =>
  crc32(text).toString(16).padStart(CRC_CHARACTERS, '0');

/**
 * An append-only file of lines `<crc32> <header JSON>\t<body JSON>`. Headers are read at every
 * start, bodies only when a client asks: history stays on disk, not in memory.
 */
export class AppendLog {
  private readonly file: number;
  private size: number;
  private syncing: Promise<void> | null = null;
  private queued: Promise<void> | null = null;
  private closed = false;

  constructor(path: string) {
    this.file = openSync(path, 'a+', 0o600);
    this.size = fstatSync(this.file).size;
  }

  get end(): number {
    return this.size;
  }

  /** Hands one line to the operating system (which survives kill -9); `sync` makes it durable. */
  append(header: object, body: object = {}): LogPosition {
    const text = `${JSON.stringify(header)}\t${JSON.stringify(body)}`;
    const line = Buffer.from(`${checksum(text)} ${text}\n`);
    let written = 0;
    while (written < line.length) written += writeSync(this.file, line, written);
    const position = { offset: this.size, length: line.length };
    this.size += line.length;
    return position;
  }

  /** Resolves when everything appended before this call is on the disk; calls share one sync. */
  sync(): Promise<void> {
    if (!this.syncing) return this.startSync();
    // The running sync may have begun before our line was written: wait for the one after it.
    this.queued ??= this.syncing.then(() => {
      this.queued = null;
      return this.startSync();
    });
    return this.queued;
  }

  private startSync(): Promise<void> {
    this.syncing = new Promise<void>((resolve, reject) => {
      if (this.closed) return resolve();
      fdatasync(this.file, (error) => (error ? reject(error) : resolve()));
    }).finally(() => {
      this.syncing = null;
    });
    return this.syncing;
  }

  read<Header, Body>(position: LogPosition): { header: Header; body: Body } {
    const line = Buffer.alloc(position.length);
    readSync(this.file, line, 0, position.length, position.offset);
    const separator = line.indexOf('\t');
    return {
      header: JSON.parse(line.toString('utf8', CRC_CHARACTERS + 1, separator)) as Header,
      body: JSON.parse(line.toString('utf8', separator + 1)) as Body,
    };
  }

  /** Every line at or after `from`. A torn last line (power loss, full disk) is cut off. */
  *lines(from = 0): Generator<LogLine> {
    const end = this.size;
    let offset = from;
    for (const line of this.rawLines(from, end)) {
      const separator = line.indexOf('\t');
      const text = line.subarray(CRC_CHARACTERS + 1);
      if (separator < 0 || line.toString('latin1', 0, CRC_CHARACTERS) !== checksum(text)) {
        if (offset + line.length + 1 < end) throw new Error(`log damaged at byte ${offset}`);
        break;
      }
      const header = line.toString('utf8', CRC_CHARACTERS + 1, separator);
      yield { header, offset, length: line.length + 1 };
      offset += line.length + 1;
    }
    if (offset < end) {
      ftruncateSync(this.file, offset);
      this.size = offset;
    }
  }

  private *rawLines(from: number, end: number): Generator<Buffer> {
    let pending: Buffer = Buffer.alloc(0);
    for (let offset = from; offset < end; ) {
      const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, end - offset));
      offset += readSync(this.file, chunk, 0, chunk.length, offset);
      let data: Buffer = pending.length ? Buffer.concat([pending, chunk]) : chunk;
      for (let stop = data.indexOf(NEWLINE); stop >= 0; stop = data.indexOf(NEWLINE)) {
        yield data.subarray(0, stop);
        data = data.subarray(stop + 1);
      }
      pending = data;
    }
  }

  async close(): Promise<void> {
    await this.sync();
    await this.queued;
    this.closed = true;
    closeSync(this.file);
  }
}
