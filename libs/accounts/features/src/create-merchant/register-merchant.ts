import type { Merchant, MerchantEvent, MerchantRefusal } from '@tender/accounts-domain';
import type { CreateMerchantBody, RequestContext } from '@tender/contracts';
import type { Handled, Runtime } from '@tender/eventing';
import { onceADay, originOf } from '@tender/http';
import { isoTime } from '@tender/kernel';
import { hashOfKey, keyIdOf, keyTextOf } from '../key-secret';
import { merchantHandler, merchantIdOf, merchantStream } from '../merchant-stream';

/** USD cents: 999,999.99 (decisions §1.6). */
const AMOUNT_MAX = 99_999_999;

/** One append decides whether the e-mail is free: its merchant’s stream must not exist yet. */
export async function registerMerchant(
  runtime: Runtime,
  caller: RequestContext,
  body: CreateMerchantBody,
): Promise<{
  readonly handled: Handled<Merchant, MerchantEvent, MerchantRefusal>;
  readonly caller: RequestContext;
}> {
  const { keyRing, clock } = runtime;
  const merchant_id = merchantIdOf(keyRing, body.email);
  const stream = merchantStream(merchant_id);
  const handle = merchantHandler(runtime);
  const seal = (text: string) => keyRing.sealPersonal(merchant_id, text.trim());
  const created_at = isoTime(clock.now());
  const merchant = {
    merchant_id,
    name_sealed: await seal(body.name),
    email_sealed: await seal(body.email),
    business_address_sealed: await seal(body.business_address),
    wallet_type: body.wallet_generation_method ?? ('mpc_passkey' as const),
    wallet_address: body.wallet_address ?? null,
    webhook_url: body.webhook_url ?? null,
    amount_max: AMOUNT_MAX,
    limits: null,
    created_at,
  };

  return onceADay(runtime, caller, async (asked) => {
    const key_hash = hashOfKey(keyTextOf(keyRing, asked.command_id, { mode: 'test', created_at }));
    const origin = { ...originOf(asked), merchant_id, subject_ids: [merchant_id] };
    const key_id = keyIdOf(asked, 'test');
    const command = { type: 'RegisterMerchant', merchant, key_id, key_hash } as const;
    return { stream, handled: await handle(stream, command, origin) };
  });
}
