import { closeSync, existsSync, fsyncSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { bytesOfBase64 } from '@tender/transactions';
import { ExitFault } from './exit-fault';

/** A transfer that was signed, kept until it is known what became of it. It tells no secret. */
export interface Sent {
  readonly wallet: string;
  /** The genesis hash. */
  readonly network: string;
  readonly signature: string;
  /** Base64: the bytes that are sent. */
  readonly transaction: string;
  /** Once the chain is higher, and has no such transaction, it never will. */
  readonly dead_after_height: number;
  /** What was the newest one when it was signed. */
  readonly sent_at_slot: number;
  /** For people. */
  readonly what: string;
}

/** Where it is kept: beside the recovery kit. */
export const sentFileOf = (recovery: string): string => `${recovery}.sent`;

/** What was sent with this kit before, and not seen to its end; null: nothing. */
export function sentBefore(path: string): Sent | null {
  if (!existsSync(path)) return null;
  try {
    const sent = JSON.parse(readFileSync(path, 'utf8')) as Sent;
    const { transaction, signature, dead_after_height, sent_at_slot } = sent;
    const has_ends = dead_after_height > 0 && sent_at_slot >= 0;
    if (bytesOfBase64(transaction) && signature && has_ends) return sent;
  } catch {
    // Said below.
  }
  throw new ExitFault(
    `${path} is of a transfer that was begun before, and it cannot be read: look at the wallet on the chain, then delete it.`,
  );
}

/** On the disk before the first byte is sent: only so is it the same transfer when this is run again. */
export function keepSent(path: string, sent: Sent): void {
  try {
    const file = openSync(path, 'wx', 0o600);
    writeSync(file, `${JSON.stringify(sent, null, 2)}\n`);
    fsyncSync(file);
    closeSync(file);
    keepName(path);
  } catch (error) {
    throw new ExitFault(
      `${path} cannot be written (${(error as NodeJS.ErrnoException).code}): put the recovery kit where this program can ` +
        'keep a file beside it. Nothing was sent.',
    );
  }
}

/** The file’s name, too, outlives a loss of power. */
function keepName(path: string): void {
  // Windows lets no program open a folder, and writes names down by itself.
  if (process.platform === 'win32') return;
  const folder = openSync(dirname(path), 'r');
  fsyncSync(folder);
  closeSync(folder);
}

export const forgetSent = (path: string): void => rmSync(path, { force: true });
