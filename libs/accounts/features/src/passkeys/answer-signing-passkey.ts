import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { passkeyOf } from '@tender/accounts-domain';
import { signingPasskey } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { RUNTIME } from '@tender/http';
import { merchant } from '../merchant-details/merchant.aggregate';

/** Answers treasury, which has signers take a passkey up. */
@Injectable()
export class AnswerSigningPasskey implements OnModuleInit {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  onModuleInit(): void {
    this.runtime.calls.answer(signingPasskey, async ({ merchant_id, passkey_id }) => {
      const known = await merchant.load(this.runtime, 'all', merchant_id);
      const passkey = known && passkeyOf(known, passkey_id);
      return passkey?.kind === 'signing' ? { public_key: passkey.public_key } : null;
    });
  }
}
