import { Inject, Injectable } from '@nestjs/common';
import type { ApiKeyCreated, CreateApiKey, merchantDecider } from '@tender/accounts-domain';
import type { CreateNamedKeyAnswer, RequestContext } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { accepted, RUNTIME, type RefusalAnswers } from '@tender/http';
import { invariant, isoTime, type RefusalOf } from '@tender/kernel';
import type { FastifyReply } from 'fastify';
import { KEY_DIRECTORY, type KeyDirectory } from '../key-directory/key-directory';
import { hashOfKey, keyIdOf, keyTextOf } from '../key-secret';
import { merchant } from '../merchant-details/merchant.aggregate';
import { untilUsable } from './until-usable';

export type MintedKey = Omit<CreateNamedKeyAnswer, 'name'> & { readonly name: string | null };

const MINT_REFUSALS: RefusalAnswers<RefusalOf<typeof merchantDecider, CreateApiKey>> = {
  merchant_unknown: [404, 'not_found', 'There is no such resource.'],
  live_key_from_test_key: [
    403,
    'forbidden',
    'A test key cannot make a live key. Use a live key, or make the first one in the dashboard.',
  ],
};

/** A session makes the first live key (specification §2.2); a key makes none of a mode above its own. */
export const askedBy = ({ asker, mode }: RequestContext): CreateApiKey['asked_by'] =>
  asker.kind === 'session' ? 'session' : mode;

/** Makes a key of a merchant; answers from what is stored, so that a repeat shows the same key. */
@Injectable()
export class MintKey {
  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(KEY_DIRECTORY) private readonly directory: KeyDirectory,
  ) {}

  async mint(
    caller: RequestContext,
    merchant_id: string,
    wanted: Pick<CreateApiKey, 'asked_by' | 'mode' | 'name' | 'reason'>,
    reply: FastifyReply,
  ): Promise<MintedKey> {
    const { keyRing, clock } = this.runtime;
    const { handled, asked } = await merchant.request(this.runtime, caller, (asked) => {
      const created_at = isoTime(clock.now());
      const text = keyTextOf(keyRing, asked.command_id, { mode: wanted.mode, created_at });
      const command = {
        ...wanted,
        type: 'CreateApiKey',
        key_id: keyIdOf(asked, wanted.mode),
        key_hash: hashOfKey(text),
        created_at,
      } as const;
      return { id: merchant_id, merchant_id, command };
    });
    const { events, position } = accepted(handled, MINT_REFUSALS, reply);
    await untilUsable(this.directory, position);

    const [event] = events;
    invariant(event?.type === 'ApiKeyCreated', 'minting a key makes one');
    const { key_id, mode, name, created_at } = event.data as ApiKeyCreated['data'];
    const key = keyTextOf(keyRing, asked.command_id, { mode, created_at });
    return { key, id: key_id, name, mode, created_at };
  }
}
