import { Controller, Inject, Param, Res } from '@nestjs/common';
import type { ApiKeyRotated, merchantDecider, RotateApiKey } from '@tender/accounts-domain';
import { rotateKey, type RequestContext, type RotateKeyAnswer } from '@tender/contracts';
import { Unavailable, type Runtime } from '@tender/eventing';
import { accepted, Caller, RUNTIME, Serves, type RefusalAnswers } from '@tender/http';
import { invariant, isoTime, type RefusalOf } from '@tender/kernel';
import type { FastifyReply } from 'fastify';
import { KEY_DIRECTORY, type KeyDirectory } from '../key-directory/key-directory';
import { hashOfKey, keyIdOf, keyTextOf } from '../key-secret';
import { merchant } from '../merchant-details/merchant.aggregate';

const WAIT_MS_MAX = 5_000;

const ROTATE_REFUSALS: RefusalAnswers<RefusalOf<typeof merchantDecider, RotateApiKey>> = {
  key_unknown: [404, 'not_found', 'There is no such resource.'],
  key_already_rotated: [
    409,
    'key_already_rotated',
    'This key was rotated before. Rotate the key that took its place.',
  ],
};

@Controller()
export class RotateKeyHttp {
  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(KEY_DIRECTORY) private readonly directory: KeyDirectory,
  ) {}

  /** Answers only once no gateway accepts the old key any more (E2); 503 while that is not certain. */
  @Serves(rotateKey)
  async rotate(
    @Caller() caller: RequestContext,
    @Param('id') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RotateKeyAnswer> {
    const { handled, asked } = await this.handle(caller, id);
    const { events, position } = accepted(handled, ROTATE_REFUSALS, reply);
    invariant(position !== null, 'a rotation is in the log');
    const is_retired = await this.directory.retiredEverywhere(position, WAIT_MS_MAX);
    if (!is_retired) throw new Unavailable('accounts.api-keys', { reason: 'it is far behind' });

    const [event] = events;
    invariant(event?.type === 'ApiKeyRotated', 'a rotation makes one event');
    const { old_key_id, key_id, mode, created_at } = event.data as ApiKeyRotated['data'];
    return {
      old_key_id,
      old_key_deactivated: true,
      new_key: keyTextOf(this.runtime.keyRing, asked.command_id, { mode, created_at }),
      new_key_id: key_id,
      mode,
      created_at,
    };
  }

  private handle(caller: RequestContext, old_key_id: string) {
    const { keyRing, clock } = this.runtime;
    return merchant.request(this.runtime, caller, (asked) => {
      const created_at = isoTime(clock.now());
      const { mode } = asked;
      const text = keyTextOf(keyRing, asked.command_id, { mode, created_at });
      const command = {
        type: 'RotateApiKey',
        old_key_id,
        mode,
        key_id: keyIdOf(asked, mode),
        key_hash: hashOfKey(text),
        created_at,
      } as const;
      return { id: caller.merchant_id, command };
    });
  }
}
