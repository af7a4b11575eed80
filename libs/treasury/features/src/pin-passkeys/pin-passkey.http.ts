import { Body, Controller, Inject, Param } from '@nestjs/common';
import {
  pinPasskey,
  unpinPasskey,
  type PinnedPasskey,
  type PinPasskeyBody,
  type RequestContext,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { Caller, RUNTIME, Serves } from '@tender/http';
import { allowedByBoth, proofIn } from '../passkey-challenges/allowed-by-both';
import { pinningOf, unpinningOf } from '../passkey-challenges/operations';

/**
 * Which passkeys of a merchant its signers know. Treasury keeps nothing of it: a signer that has done it answers the
 * same again.
 */
@Controller()
export class PinPasskeyHttp {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Serves(pinPasskey)
  async pin(
    @Caller() caller: RequestContext,
    @Param('id') id: string,
    @Body() { passkey_signature }: PinPasskeyBody,
  ): Promise<PinnedPasskey> {
    const proof = proofIn(passkey_signature);
    const { type: _, ...passkey } = await pinningOf(this.runtime, caller, id);
    const whose = { of: caller.merchant_id };
    await allowedByBoth(this.runtime, whose, 'passkey.pin', { ...passkey, proof });
    return { id, pinned: true };
  }

  @Serves(unpinPasskey)
  async unpin(
    @Caller() caller: RequestContext,
    @Param('id') id: string,
    @Body() { passkey_signature }: PinPasskeyBody,
  ): Promise<PinnedPasskey> {
    const proof = proofIn(passkey_signature);
    const { type: _, ...passkey } = unpinningOf(caller, id);
    const whose = { of: caller.merchant_id };
    await allowedByBoth(this.runtime, whose, 'passkey.unpin', { ...passkey, proof });
    return { id, pinned: false };
  }
}
