import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { ExitFault } from './exit-fault';

export const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Of the file, without the line feed that editors leave; else what is typed, which is not shown. */
export async function passphraseFrom(file: string | null): Promise<string> {
  if (file !== null) return textOf(file, '--passphrase-file').replace(/\r?\n$/, '');
  if (!process.stdin.isTTY) {
    throw new ExitFault('There is no terminal to type the passphrase at: use --passphrase-file.');
  }
  process.stdout.write('Passphrase of the recovery kit: ');
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: unseen, terminal: true });
  try {
    return await asked(lines, '');
  } finally {
    lines.close();
    say('');
  }
}

/** Whether the merchant has agreed. */
export async function hasAgreed(): Promise<boolean> {
  if (!process.stdin.isTTY) throw new ExitFault('There is no terminal to ask at: --yes agrees to it.');
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return (await asked(lines, 'Send it? (yes/no) ')).trim().toLowerCase() === 'yes';
  } finally {
    lines.close();
  }
}

/** Throws `ExitFault` where there is no such file. */
export function textOf(path: string, option: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new ExitFault(`${option} ${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

type Lines = ReturnType<typeof createInterface>;

async function asked(lines: Lines, question: string): Promise<string> {
  const left = new AbortController();
  for (const end of ['SIGINT', 'close'] as const) lines.once(end, () => left.abort());
  try {
    return await lines.question(question, { signal: left.signal });
  } catch (error) {
    if (!left.signal.aborted) throw error;
    throw new ExitFault('Nothing was sent.');
  }
}
