import { Unavailable } from '@tender/eventing';
import { checkSanctions } from '@tender/contracts';
import { base58, base64, keyBytes, transactionBytes } from '@tender/transactions';
import { meaningOf, type Operation } from '@tender/threshold';
import type { KnownTransfer, TransferFailureReason, TransferTerms } from '@tender/treasury-domain';
import type { SigningResult } from '../outgoing-transfer/custody';
import { isMarker } from '../outgoing-transfer/marker';
import { endLeaving, reserveLeaving, type HeldFault } from '../held-money/held-money.record';
import { reserveFee, settleFee } from '../payout-fees/payout-fees.record';
import { accountsFault, accountsOf, addressesOf, balanceOf, heldOf, type HeldAccounts } from './due-accounts';
import { preparedTransfer, type PreparedTransfer } from './prepared-transfer';
import { ends, record, type TransferDesk } from './transfer-desk';

/** What became of it: `waits` is asked again later; `signers_away`: and so is every other one. */
export type SignedOrNot = 'signed' | 'failed' | 'waits' | 'signers_away';

/** Signers give no share for an attempt that is older. */
const ATTEMPT_MS = 120_000;

/**
 * Signs a transfer of which no transaction may land: reserves its fee, lets the signers judge and sign it, records the
 * bytes, and only then sends them.
 */
export async function signNext(desk: TransferDesk, state: KnownTransfer): Promise<SignedOrNot> {
  const { runtime, mode, key } = desk;
  const chain = runtime.chains[mode];
  const { transfer } = state;
  const accounts = accountsOf(chain, transfer);
  const addresses = addressesOf(accounts, transfer.to, key.address);
  const read_wall_ms = runtime.clock.wall();
  const held = heldOf(await chain.accounts(addresses));
  // One of its transactions has landed that is not known: it is looked for, and no other is signed.
  if (isMarker(held.marker)) return waits(desk, transfer, 'marker_exists');
  const fault = faultOf(desk, transfer, held);
  if (fault !== null) {
    const views = await chain.finalViews([], addresses);
    const faults = views.map((view) => faultOf(desk, transfer, heldOf(view.accounts)));
    const proven = faults.every((one) => one === fault);
    return proven ? fails(desk, transfer, fault) : waits(desk, transfer, fault);
  }
  const sanctioned = await isSanctioned(desk, transfer.to);
  if (sanctioned === null) return waits(desk, transfer, 'sanctions_unknown');
  if (sanctioned) return fails(desk, transfer, 'sanctions_hit');
  const prepared = await preparedTransfer(chain, transfer, accounts, held, key.address);
  const { error } = await chain.simulate(transactionBytes(prepared.message), {
    ...{ min_slot: prepared.blockhash.slot, accounts: [key.address] },
  });
  if (error !== null) return waits(desk, transfer, error);
  const fee = { mode, transfer_id: transfer.transfer_id, attempt: state.attempts.length };
  const funds = { balance: held.fee_payer?.lamports ?? 0n, lamports_day: desk.lamports_day };
  const now_ms = runtime.clock.wall();
  const unpaid = await reserveFee(runtime.readModels, fee, prepared.lamports, funds, now_ms);
  if (unpaid !== null) return waits(desk, transfer, unpaid);
  const op = operationOf(transfer, runtime.clock.wall() + ATTEMPT_MS);
  const reserved = await reservedOf(desk, transfer, { held, addresses, read_wall_ms });
  if (reserved !== null) {
    await settleFee(runtime.readModels, fee, 0n, runtime.clock.wall());
    return reserved === 'short'
      ? fails(desk, transfer, 'insufficient_balance')
      : waits(desk, transfer, 'held_money');
  }
  const signing = await desk.custody.sign(transfer.merchant_id, op, prepared.message);
  if (signing.ok) return send(desk, transfer, prepared, signing.signature);
  await settleFee(runtime.readModels, fee, 0n, runtime.clock.wall());
  await endLeaving(runtime.readModels, transfer, runtime.clock.wall(), false);
  return unsigned(desk, transfer, signing);
}

interface SeenAccounts {
  readonly held: HeldAccounts;
  readonly addresses: readonly string[];
  readonly read_wall_ms: number;
}

/** Reserves what it takes beside the money of held payments. `short` is proven as other faults are: at all nodes. */
async function reservedOf(
  { runtime, mode }: TransferDesk,
  transfer: TransferTerms,
  { held, addresses, read_wall_ms }: SeenAccounts,
): Promise<HeldFault | null> {
  const { readModels, chains, clock } = runtime;
  const seen = { balance: balanceOf(transfer, held), read_wall_ms };
  const fault = await reserveLeaving(readModels, transfer, seen);
  if (fault !== 'short') return fault;
  const views = await chains[mode].finalViews([], addresses);
  const balances = views.map(({ accounts }) => balanceOf(transfer, heldOf(accounts)));
  for (const balance of balances) {
    if ((await reserveLeaving(readModels, transfer, { balance, read_wall_ms })) === 'short') continue;
    await endLeaving(readModels, transfer, clock.wall(), false);
    return 'moving';
  }
  return 'short';
}

const faultOf = (
  { key }: TransferDesk,
  transfer: TransferTerms,
  held: HeldAccounts,
): TransferFailureReason | null => {
  const owner = keyBytes(transfer.to);
  if (owner === null || transfer.to === key.address) return 'destination_invalid';
  return accountsFault(transfer, held, owner);
};

/** Null: there is no fresh list to tell by. */
async function isSanctioned(
  { runtime, mode }: TransferDesk,
  wallet: string,
): Promise<boolean | null> {
  const asking = { mode, correlation_id: runtime.random.uuid() };
  const checked = await runtime.calls.ask(checkSanctions, { wallet }, asking);
  return checked && checked.sanctioned;
}

const operationOf = (
  { transfer_id: id, type, mode, from: wallet, to, asset, amount, credit }: TransferTerms,
  exp: number,
): Operation => ({ v: 1, id, type, mode, wallet, to, asset, amount, credit, exp });

/** From the moment of the record on it may land; what cannot be recorded is not sent. */
async function send(
  desk: TransferDesk,
  transfer: TransferTerms,
  { message, blockhash }: PreparedTransfer,
  wallet_signature: Uint8Array,
): Promise<SignedOrNot> {
  const { runtime, mode, key } = desk;
  const fee_signature = await key.sign(message);
  const bytes = transactionBytes(message, {
    [transfer.from]: wallet_signature,
    [key.address]: fee_signature,
  });
  const signature = base58(fee_signature);
  const signed = {
    ...{ transaction: base64(bytes), signature, recent_blockhash: blockhash.blockhash },
    last_valid_block_height: blockhash.last_valid_block_height,
  };
  const handled = await record(desk, transfer, { type: 'SignTransfer', signed }, `sign:${signature}`);
  // Another process has signed one meanwhile: that is followed.
  if (!handled.ok) return waits(desk, transfer, handled.refusal);
  await runtime.chains[mode].send(bytes).catch((error: unknown) => {
    if (!(error instanceof Unavailable)) throw error;
    runtime.log.warn({ transfer_id: transfer.transfer_id }, 'a transfer is sent again later');
  });
  return 'signed';
}

async function unsigned(
  desk: TransferDesk,
  transfer: TransferTerms,
  signing: Exclude<SigningResult, { ok: true }>,
): Promise<SignedOrNot> {
  if ('unavailable' in signing) {
    waits(desk, transfer, 'signers_unavailable');
    return 'signers_away';
  }
  const { code } = signing.refused;
  // A code that only newer signers know says nothing of the operation either.
  return meaningOf(code)?.refuses === 'operation'
    ? fails(desk, transfer, 'signing_declined')
    : waits(desk, transfer, code);
}

/** Nothing of it was signed that may land: the last look at the chain has shown that, of each one. */
async function fails(
  desk: TransferDesk,
  transfer: TransferTerms,
  reason: TransferFailureReason,
): Promise<SignedOrNot> {
  const command = { type: 'FailTransfer', reason, signature: null } as const;
  return (await ends(desk, transfer, command, transfer.transfer_id)) ? 'failed' : 'waits';
}

function waits({ runtime, mode }: TransferDesk, { transfer_id }: TransferTerms, why: string) {
  runtime.log.info({ transfer_id, mode, why }, 'a transfer waits');
  return 'waits' as const;
}
