import { Controller, Inject } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { passkeyRegistered } from '@tender/contracts';
import { NotThisOne, type Runtime } from '@tender/eventing';
import { Reacts, RUNTIME, type Heard } from '@tender/http';
import { HOSTED_QUORUM } from '@tender/threshold';
import { askSigner } from '../signing/ask-signer';

export const PIN_PASSKEYS = 'treasury.pin-passkeys';

/** A set-up link that an API key has asked for is no ground to believe a passkey. */
const BELIEVED = new Set(['sign_up', 'session']);

/** Has both signers know a merchant’s first signing passkey; a later one they take up by a proof alone. */
@Controller()
export class PinPasskeysReactor {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Reacts(PIN_PASSKEYS, [passkeyRegistered])
  async react(@Payload() batch: readonly Heard<typeof passkeyRegistered>[]): Promise<void> {
    const { signers, random, log } = this.runtime;
    for (const { data } of batch) {
      if (data.kind !== 'signing' || !BELIEVED.has(data.asked_by)) continue;
      // Kept with the merchant’s later ones until there are signers; what other merchants do goes on.
      if (signers === null) throw new NotThisOne('the signers', { reason: 'none are set up' });
      const { merchant_id, passkey_id: credential_id, public_key } = data;
      const passkey = { merchant_id, credential_id, public_key, proof: null };
      const session = { session: random.uuid() };
      const asked = await Promise.all(
        HOSTED_QUORUM.map((role) => askSigner(signers, role, 'passkey.pin', passkey, session)),
      );
      for (const answer of asked) {
        if ('refused' in answer) {
          log.warn({ merchant_id, ...answer.refused }, 'a signer has not taken up a passkey');
        }
      }
      // The order of a merchant’s passkeys decides which one is first: its later ones wait, other merchants’ do not.
      if (asked.some((answer) => 'unavailable' in answer)) throw new NotThisOne('a signer');
    }
  }
}
