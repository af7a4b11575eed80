import { createInterface } from 'node:readline';
import {
  aggregate, commitNonces, HOSTED_ROLES, shareOf, SigningFault, type Commitments, type KeyShare,
  type NonceCommitment, type Role, type Roster, type Shares,
} from '@tender/threshold';
import { base58 } from '@tender/transactions';
import { SettingsFault } from '../settings/settings-fault';
import { textOf, type TransferMessage } from './transfer-in';

/** What people carry from one party to the other, a line each; nothing in it is secret. */
interface Line {
  readonly wallet: string;
  readonly role: Role;
  /** Base64: the message that it is about. */
  readonly message: string;
  readonly commit?: NonceCommitment;
  readonly share?: string;
}

export interface Terminal {
  say(line: object): void;
  /** The next line that is no empty one; null: there is none. */
  hear(): Promise<string | null>;
}

/**
 * One party’s part of a signature by two: says its commitment, hears the other’s, says its share. The nonces are in
 * memory from the one to the other: a process that ends in between gives no share, and both begin anew.
 */
export async function takePart(
  share: KeyShare,
  message: TransferMessage,
  terminal: Terminal,
): Promise<void> {
  const { nonces, commit } = commitNonces(share);
  const about = { wallet: share.wallet, role: share.role, message: textOf(message) };
  try {
    terminal.say({ ...about, commit });
    const other = lineOf(await terminal.hear(), about);
    if (!other?.commit || other.role === share.role) {
      throw new SettingsFault('the other party’s line with its commitment comes here, as it has printed it.');
    }
    // Of a wallet that is hosted: C holds no share of it.
    if (!(HOSTED_ROLES as readonly Role[]).includes(other.role)) {
      throw new SigningFault('quorum_member_invalid', null);
    }
    const commits = { [share.role]: commit, [other.role]: other.commit } as Commitments;
    terminal.say({ ...about, share: shareOf(share, nonces, commits, message.bytes) });
  } catch (error) {
    throw sentenceOf(error);
  } finally {
    nonces.erase();
    share.erase();
  }
}

/** The wallet’s signature, base58, from the four lines of both parties in any order. */
export async function together(
  { wallet, commitments }: Roster,
  message: TransferMessage,
  { hear }: Pick<Terminal, 'hear'>,
): Promise<string> {
  const [commits, shares]: [Record<string, NonceCommitment>, Record<string, string>] = [{}, {}];
  for (let text = await hear(); text !== null; text = await hear()) {
    const line = lineOf(text, { wallet, message: textOf(message) });
    if (line?.commit) commits[line.role] = line.commit;
    else if (line?.share) shares[line.role] = line.share;
  }
  try {
    const signature = aggregate({ wallet, commitments }, commits, shares as Shares, message.bytes);
    return base58(signature);
  } catch (error) {
    throw sentenceOf(error);
  }
}

/** Null: it is none that a party has printed. Throws where it is about something else. */
function lineOf(text: string | null, about: Pick<Line, 'wallet' | 'message'>): Line | null {
  let line: Line | null = null;
  try {
    line = JSON.parse(text ?? '') as Line | null;
  } catch {
    return null;
  }
  if (!line || line.wallet === undefined) return null;
  if (line.wallet !== about.wallet || line.message !== about.message) {
    throw new SettingsFault('that line is of another wallet or message: both parties sign the same one.');
  }
  return line;
}

const sentenceOf = (error: unknown): unknown =>
  error instanceof SigningFault
    ? new SettingsFault(`there is no signature (${error.message}): begin anew with both parties.`)
    : error;

/** Standard output and input. */
export function standardTerminal(): Terminal {
  const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  return {
    say: (line) => void process.stdout.write(`${JSON.stringify(line)}\n`),
    async hear() {
      for (;;) {
        const { value, done } = await lines.next();
        if (done) return null;
        if (value.trim() !== '') return value;
      }
    },
  };
}
