import { formatUnits } from '@tender/kernel';
import { KitFault, openKit, signedTogether, walletOfKit, type KitCode } from '@tender/threshold/browser';
import { base58, base64, transactionBytes } from '@tender/transactions';
import { assetOf } from './asset';
import { ExitFault } from './exit-fault';
import { SolanaNode } from './node';
import type { Options } from './options';
import { RefusedUnsent, sentToItsEnd } from './send';
import { forgetSent, keepSent, sentBefore, sentFileOf, type Sent } from './sent-file';
import { hasAgreed, passphraseFrom, say, textOf } from './terminal';
import { plannedTransfer, type Transfer } from './transfer';

const SAYS: Readonly<Record<KitCode, string>> = {
  kit_malformed: 'is no recovery kit, or one of a newer version of this program',
  kit_damaged: 'is damaged: use another copy of it',
  passphrase_wrong: 'does not open with this passphrase',
  passphrase_too_short: 'does not open with this passphrase',
};

/**
 * Moves money out of a merchant's own wallet with the shares C and R of its recovery kit. It asks the given Solana
 * node, and nothing else: no part of Tender. Throws `ExitFault`.
 */
export async function exitWallet(options: Options): Promise<void> {
  const kit = textOf(options.recovery, '--recovery');
  const wallet = await ofKit(options, () => walletOfKit(kit));
  const node = new SolanaNode(options.rpc);
  const path = sentFileOf(options.recovery);
  if (await wasGoneOnWith(node, path, wallet)) return;
  const { to, amount, token } = options;
  const asset = await assetOf(node, wallet, token);
  const transfer = await plannedTransfer(node, { wallet, to, amount, asset });
  for (const line of linesOf(wallet, transfer)) say(line);
  if (!options.yes && !(await hasAgreed())) throw new ExitFault('Nothing was sent.');
  const sent = await signed(options, node, { kit, wallet, transfer });
  keepSent(path, sent);
  say(`Sends ${sent.signature}`);
  await toItsEnd(node, path, sent, true);
}

function linesOf(wallet: string, transfer: Transfer): readonly string[] {
  const { asset, to, amount, fee, rent, stays } = transfer;
  const { name, decimals, token } = asset;
  const others = rent > 0n ? `, and ${formatUnits(rent, 9)} SOL for the receiver's first account of ${name}` : '';
  return [
    `From   ${wallet}`,
    `To     ${to}`,
    `Sends  ${formatUnits(amount, decimals)} ${name}${token ? ` (mint ${token.mint})` : ''}`,
    `Costs  ${formatUnits(fee, 9)} SOL, paid by the wallet${others}`,
    `Stays  ${token ? `${formatUnits(asset.balance - amount, decimals)} ${name} and ` : ''}${formatUnits(stays, 9)} SOL in the wallet`,
  ];
}

/** Both shares are here for as long as it takes to sign. */
async function signed(
  options: Options,
  node: SolanaNode,
  { kit, wallet, transfer }: { kit: string; wallet: string; transfer: Transfer },
): Promise<Sent> {
  const passphrase = await passphraseFrom(options.passphrase_file);
  const { shares } = await ofKit(options, () => openKit(kit, passphrase));
  try {
    const network = await node.network();
    const { hash, dead_after_height, slot } = await node.blockhash();
    const message = transfer.at(hash);
    const signature = signedTogether([shares.C, shares.R], message);
    const { asset, amount, to } = transfer;
    return {
      ...{ wallet, network, dead_after_height, sent_at_slot: slot, signature: base58(signature) },
      transaction: base64(transactionBytes(message, { [wallet]: signature })),
      what: `${formatUnits(amount, asset.decimals)} ${asset.name} to ${to}`,
    };
  } finally {
    shares.C.erase();
    shares.R.erase();
  }
}

/** Whether there was a transfer before that has landed now, or is still open: nothing else is sent then. */
async function wasGoneOnWith(node: SolanaNode, path: string, wallet: string): Promise<boolean> {
  const sent = sentBefore(path);
  if (sent === null) return false;
  if (sent.wallet !== wallet) {
    throw new ExitFault(
      `${path} is of a transfer of another wallet, ${sent.wallet}, and this kit is of ${wallet}: put it back beside the kit ` +
        'of that wallet. Nothing was sent.',
    );
  }
  say(`Goes on with the transfer that was begun before, ${sent.what}: ${sent.signature}`);
  if ((await node.network()) !== sent.network) {
    throw new ExitFault(`It was on another network: use a node of that one, or delete ${path} if it is of no interest.`);
  }
  const end = await toItsEnd(node, path, sent, false);
  if (end === 'dead') return false;
  say('Nothing else was sent. Run this again for another transfer.');
  return true;
}

async function toItsEnd(node: SolanaNode, path: string, sent: Sent, is_first: boolean) {
  try {
    const end = await sentToItsEnd(node, sent, is_first);
    forgetSent(path);
    if (end === 'landed') say('It has landed, for good.');
    if (end === 'failed') throw new ExitFault('It has failed on the chain: the fee is paid, and nothing else has moved.');
    if (end === 'dead' && !is_first) say('It has not landed and never will.');
    if (end === 'dead' && is_first) throw new ExitFault('It has not landed and never will: nothing has moved. Run this again.');
    return end;
  } catch (error) {
    if (error instanceof RefusedUnsent) forgetSent(path);
    throw error;
  }
}

/** The same for what is wrong with the kit, in words. */
async function ofKit<Value>(
  { recovery }: Options,
  open: () => Value | Promise<Value>,
): Promise<Value> {
  try {
    return await open();
  } catch (error) {
    if (!(error instanceof KitFault)) throw error;
    throw new ExitFault(`--recovery ${recovery} ${SAYS[error.code]}. Nothing was sent.`);
  }
}
