import { formatUnits, parseDecimal, toUnits } from '@tender/kernel';
import {
  accountKindOf, associatedTokenAccount, canSign, compileMessage, computeBudget, createTokenAccount,
  messageOf,
  OUTGOING_UNIT_LIMIT, transactionFee, transferSol, transferToken, type Instruction, type Message,
} from '@tender/transactions';
import { TOKEN_ACCOUNT_BYTES, type Asset } from './asset';
import { ExitFault } from './exit-fault';
import type { Account, SolanaNode } from './node';

/** What a transfer takes out of the wallet, in base units. */
export interface Transfer {
  readonly asset: Asset;
  readonly to: string;
  readonly amount: bigint;
  /** Lamports, beside the amount. */
  readonly fee: bigint;
  /** Lamports for the receiver's token account; 0 where it is there. */
  readonly rent: bigint;
  /** Lamports that are left in the wallet. */
  readonly stays: bigint;
  /** The message at a blockhash: what is signed. */
  at(blockhash: string): Uint8Array;
}

export interface Wanted {
  readonly wallet: string;
  readonly to: string;
  /** `all`, or so much. */
  readonly amount: string;
  readonly asset: Asset;
}

const inSol = (lamports: bigint): string => `${formatUnits(lamports, 9)} SOL`;
const ANY_BLOCKHASH = '11111111111111111111111111111111';

/** What is to be signed and what it costs. Throws `ExitFault` for what the chain would refuse. */
export async function plannedTransfer(node: SolanaNode, wanted: Wanted): Promise<Transfer> {
  const { wallet, to, asset } = wanted;
  const destination = asset.token ? associatedTokenAccount(to, asset.token.mint) : to;
  const [own, receiver, paid] = (await node.accounts([wallet, to, destination])) as readonly [
    ...[Account | null, Account | null, Account | null],
  ];
  refuseReceiver(wanted, receiver);
  const written = asset.token ? [asset.token.source, destination] : [wallet, to];
  const compute = computeBudget(await node.budget([wallet, ...written], OUTGOING_UNIT_LIMIT));
  const messageAt = (blockhash: string, amount: bigint): Uint8Array => {
    const instructions = [...compute, ...moneyOf(wanted, destination, amount)];
    return compileMessage({ fee_payer: wallet, recent_blockhash: blockhash, instructions });
  };
  const fee = transactionFee(messageOf(messageAt(ANY_BLOCKHASH, 1n)) as Message);
  const rent = asset.token && !paid ? await node.rentOf(TOKEN_ACCOUNT_BYTES) : 0n;
  const amount = amountOf(wanted, fee);
  const kept = { lamports: own?.lamports ?? 0n, least: await node.rentOf(0) };
  const cost = fee + rent + (asset.token ? 0n : amount);
  refuseCost(wanted, kept, cost);
  if (!asset.token && !receiver && amount < kept.least) {
    throw new ExitFault(`${to} is new: the chain takes no less than ${inSol(kept.least)} to it.`);
  }
  const stays = kept.lamports - cost;
  return { asset, to, amount, fee, rent, stays, at: (blockhash) => messageAt(blockhash, amount) };
}

function moneyOf(
  { wallet, to, asset }: Wanted,
  destination: string,
  amount: bigint,
): Instruction[] {
  if (!asset.token) return [transferSol(wallet, to, amount)];
  const { token: { mint, source }, decimals } = asset;
  return [
    createTokenAccount({ payer: wallet, account: destination, owner: to, mint }),
    transferToken({ source, destination, owner: wallet, mint, decimals, amount }),
  ];
}

function refuseReceiver({ wallet, to }: Wanted, receiver: Account | null): void {
  if (to === wallet) throw new ExitFault('--to is the wallet itself.');
  const kind = accountKindOf(receiver);
  if (kind === 'token_account') {
    throw new ExitFault(`--to ${to} is a token account: it takes the address of the wallet that owns it.`);
  }
  if (kind !== 'wallet') throw new ExitFault(`--to ${to} is a ${kind}, and no wallet: money there is lost.`);
  if (!receiver && !canSign(to)) throw new ExitFault(`--to ${to} is no wallet: no key can sign for it.`);
}

function amountOf({ amount, asset, wallet }: Wanted, fee: bigint): bigint {
  const { name, decimals, balance, token } = asset;
  if (!token && amount === 'all' && balance > 0n && balance <= fee) {
    throw new ExitFault(`The wallet has ${inSol(balance)}, and to send it costs ${inSol(fee)}: it has to stay.`);
  }
  const most = token || balance < fee ? balance : balance - fee;
  const value = amount === 'all' ? null : parseDecimal(amount);
  const units = amount === 'all' ? most : value && toUnits(value, decimals);
  if (units === null) {
    throw new ExitFault(`--amount ${amount} is no amount of ${name}: it has ${decimals} decimals at most, or is "all".`);
  }
  if (units > 0n && units <= balance) return units;
  if (balance === 0n) throw new ExitFault(`The wallet ${wallet} has no ${name}.`);
  throw new ExitFault(`--amount ${amount} is not above 0 and at most the ${formatUnits(balance, decimals)} ${name} of the wallet.`);
}

/** An account is empty or keeps its rent: the chain takes nothing in between. */
function refuseCost(
  { wallet, amount, asset }: Wanted,
  { lamports, least }: { readonly lamports: bigint; readonly least: bigint },
  cost: bigint,
): void {
  const left = lamports - cost;
  if (left === 0n || left >= least) return;
  if (!asset.token && left > 0n) {
    throw new ExitFault(
      `That would leave ${inSol(left)}, and a wallet keeps nothing or at least ${inSol(least)}: take less than ${amount} SOL, or "all".`,
    );
  }
  if (!asset.token && lamports > 0n) {
    throw new ExitFault(`The wallet has ${inSol(lamports)} and pays its own fee: "--amount all" leaves that out.`);
  }
  throw new ExitFault(
    `The wallet has ${inSol(lamports)} and pays its own fee: send ${inSol(cost + least - lamports)} to ${wallet} first, ` +
      'from any wallet, and run this again.',
  );
}
