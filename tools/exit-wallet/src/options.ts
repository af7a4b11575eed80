import { parseArgs } from 'node:util';
import { knownAccount, keyBytes } from '@tender/transactions';
import { ExitFault } from './exit-fault';

export const USAGE =
  'npm run exit-wallet -- --recovery FILE --to ADDRESS --token USDC|USDT|SOL|MINT --amount 12.5|all --rpc URL\n' +
  '  --passphrase-file FILE   the passphrase of the recovery kit, where no person types it\n' +
  '  --yes                    does not ask before it sends';

export interface Options {
  /** Path of the recovery kit. */
  readonly recovery: string;
  readonly to: string;
  /** `SOL`, `USDC`, `USDT`, or the address of the mint of a classic token. */
  readonly token: string;
  /** As it was written; `all`. */
  readonly amount: string;
  readonly rpc: string;
  readonly passphrase_file: string | null;
  readonly yes: boolean;
}

const TOKENS = ['SOL', 'USDC', 'USDT'];

/** Throws `ExitFault`, which says what is to be written instead. */
export function readOptions(args: readonly string[]): Options {
  const given = valuesOf(args);
  const [recovery, to, token, amount, rpc] = (
    ['recovery', 'to', 'token', 'amount', 'rpc'] as const
  ).map((name) => required(name, given[name])) as [string, string, string, string, string];
  if (keyBytes(to) === null) throw new ExitFault(`--to ${to} is no address.`);
  const known = knownAccount(to);
  if (known) throw new ExitFault(`--to ${to} is the address of a ${known}, and no wallet.`);
  if (!TOKENS.includes(token) && keyBytes(token) === null) {
    throw new ExitFault(`--token ${token} is neither SOL, USDC or USDT nor the address of a mint.`);
  }
  if (!URL.canParse(rpc) || !/^https?:/.test(rpc)) {
    throw new ExitFault(`--rpc ${rpc} is no URL of a Solana node.`);
  }
  const passphrase_file = given['passphrase-file'] ?? null;
  return { recovery, to, token, amount, rpc, passphrase_file, yes: given.yes === true };
}

function valuesOf(args: readonly string[]) {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({
      args: [...args],
      options: {
        ...{ recovery: text, to: text, token: text, amount: text, rpc: text },
        ...{ 'passphrase-file': text, yes: { type: 'boolean' } },
      },
    }).values;
  } catch (error) {
    throw new ExitFault(`${(error as Error).message}\n${USAGE}`);
  }
}

function required(name: string, value: string | undefined): string {
  if (value) return value;
  throw new ExitFault(`--${name} is missing.\n${USAGE}`);
}
