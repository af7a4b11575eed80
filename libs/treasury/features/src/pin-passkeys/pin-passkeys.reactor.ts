import { Controller, Inject } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { passkeyRegistered } from '@tender/contracts';
import { Unavailable, type Runtime } from '@tender/eventing';
import { Reacts, RUNTIME, type Heard } from '@tender/http';
import { HOSTED_QUORUM } from '@tender/threshold';
import { askSigner } from '../signing/ask-signer';

export const PIN_PASSKEYS = 'treasury.pin-passkeys';

/** Has both signers know a merchant’s first signing passkey; a later one they take up by a proof alone. */
@Controller()
export class PinPasskeysReactor {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Reacts(PIN_PASSKEYS, [passkeyRegistered])
  async react(@Payload() batch: readonly Heard<typeof passkeyRegistered>[]): Promise<void> {
    const { signers, random, log } = this.runtime;
    if (signers === null) return;
    for (const { data } of batch) {
      if (data.kind !== 'signing') continue;
      const { merchant_id, passkey_id: credential_id, public_key } = data;
      const passkey = { merchant_id, credential_id, public_key, proof: null };
      for (const role of HOSTED_QUORUM) {
        const asked = await askSigner(signers, role, 'passkey.pin', passkey, { session: random.uuid() });
        // Told again, until it has heard: the order of a merchant’s passkeys decides which one is first.
        if ('unavailable' in asked) throw new Unavailable(`signer ${role}`);
        if (!asked.ok) log.warn({ merchant_id, ...asked.refused }, 'a signer has not taken up a passkey');
      }
    }
  }
}
