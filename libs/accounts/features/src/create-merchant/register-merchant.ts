import type { MerchantRegistered, RegisterMerchant } from '@tender/accounts-domain';
import type { CreateMerchantBody, RequestContext } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { isoTime, timeOf } from '@tender/kernel';
import { hashOfKey, keyIdOf, keyTextOf } from '../key-secret';
import { merchant, merchantIdOf } from '../merchant-details/merchant.aggregate';
import { hashOfSetupToken, SETUP_MS, setupTokenOf } from '../passkey-setup/setup-token';

/** USD cents: 999,999.99 (specification §1.6). */
const AMOUNT_MAX = 99_999_999;

/** One append decides whether the e-mail is free: its merchant’s stream must not exist yet. */
export async function registerMerchant(
  runtime: Runtime,
  caller: RequestContext,
  body: CreateMerchantBody,
) {
  const { keyRing } = runtime;
  const registered = await newMerchant(runtime, body);
  const { merchant_id, wallet_type, created_at } = registered;
  return merchant.request(runtime, caller, (asked) => {
    const text = keyTextOf(keyRing, asked.command_id, { mode: 'test', created_at });
    const command = {
      type: 'RegisterMerchant',
      merchant: registered,
      key_id: keyIdOf(asked, 'test'),
      key_hash: hashOfKey(text),
      passkey_setup: wallet_type === 'external' ? null : firstSetup(keyRing, asked, registered),
    } as const;
    return { id: merchant_id, command, merchant_id, subject_ids: [merchant_id] };
  });
}

/** A merchant that comes without a wallet comes with a link to make one. */
function firstSetup(
  keyRing: Runtime['keyRing'],
  { command_id }: Pick<RequestContext, 'command_id'>,
  { merchant_id, created_at }: MerchantRegistered['data'],
): RegisterMerchant['passkey_setup'] {
  const issued_ms = timeOf(created_at);
  const token = setupTokenOf(keyRing, merchant_id, { command_id, issued_ms });
  return { token_hash: hashOfSetupToken(token), expires_at: isoTime(issued_ms + SETUP_MS) };
}

/** Names, e-mail and address are sealed under the merchant’s own key, so that they can be erased. */
async function newMerchant(
  { keyRing, clock }: Pick<Runtime, 'keyRing' | 'clock'>,
  body: CreateMerchantBody,
): Promise<MerchantRegistered['data']> {
  const merchant_id = merchantIdOf(keyRing, body.email);
  const seal = (text: string) => keyRing.sealPersonal(merchant_id, text.trim());
  return {
    merchant_id,
    name_sealed: await seal(body.name),
    email_sealed: await seal(body.email),
    business_address_sealed: await seal(body.business_address),
    ...(body.support_email == null ? {} : { support_email_sealed: await seal(body.support_email) }),
    wallet_type: body.wallet_generation_method ?? 'mpc_passkey',
    wallet_address: body.wallet_address ?? null,
    webhook_url: body.webhook_url ?? null,
    amount_max: AMOUNT_MAX,
    limits: null,
    created_at: isoTime(clock.now()),
  };
}
