import type { PasskeyOperation, PasskeyOperationType, RequestContext } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { ApiError, invalidParameter } from '@tender/http';
import type { ProvenOperation } from '@tender/threshold';
import type { OpenWallet } from '@tender/treasury-domain';
import type { OperatingWallets } from '../operating-wallet/operating-wallets';
import { NOT_FROZEN, NOT_READY } from '../operating-wallet/refusals';
import { limitOf, pinningOf, unfreezing, unpinningOf } from './operations';

/** The one field beside its type that an operation has. */
const FIELDS = {
  unfreeze_operating_wallet: null,
  set_operating_wallet_limits: 'per_day_usd',
  pin_passkey: 'passkey_id',
  unpin_passkey: 'passkey_id',
} as const satisfies Record<PasskeyOperationType, keyof PasskeyOperation | null>;

/** The operation that a merchant asks for, as its signers know it. Throws where it cannot be, now or ever. */
export async function meantBy(
  runtime: Pick<Runtime, 'calls'>,
  wallets: OperatingWallets,
  caller: RequestContext,
  asked: PasskeyOperation,
): Promise<ProvenOperation> {
  refuseOtherFields(asked);
  const { type, per_day_usd, passkey_id } = asked as Required<PasskeyOperation>;
  if (type === 'pin_passkey') return pinningOf(runtime, caller, passkey_id);
  if (type === 'unpin_passkey') return unpinningOf(caller, passkey_id);
  const wallet = await wallets.find(caller.mode, caller.merchant_id);
  if (wallet === null) throw new ApiError(...NOT_READY);
  return type === 'unfreeze_operating_wallet' ? unfreezeOf(wallet) : limitOf(wallet, per_day_usd);
}

function refuseOtherFields({ type, per_day_usd, passkey_id }: PasskeyOperation): void {
  for (const [field, value] of Object.entries({ per_day_usd, passkey_id })) {
    const is_needed = FIELDS[type] === field;
    if (is_needed === (value !== undefined)) continue;
    const message = is_needed ? `is missing: ${type} needs it` : `is no field of ${type}`;
    throw invalidParameter({ field: `operation.${field}`, message });
  }
}

function unfreezeOf(wallet: OpenWallet): ProvenOperation {
  if (wallet.frozen === null) throw new ApiError(...NOT_FROZEN);
  return unfreezing(wallet);
}
