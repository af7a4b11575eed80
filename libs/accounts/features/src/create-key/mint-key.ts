import { Inject, Injectable } from '@nestjs/common';
import type { ApiKeyCreated, CreateApiKey } from '@tender/accounts-domain';
import type { CreateNamedKeyAnswer, RequestContext } from '@tender/contracts';
import type { Position, Runtime } from '@tender/eventing';
import { onceADay, originOf, refused, RUNTIME } from '@tender/http';
import { invariant, isoTime } from '@tender/kernel';
import { KEY_DIRECTORY, type KeyDirectory } from '../key-directory/key-directory';
import { hashOfKey, keyIdOf, keyTextOf } from '../key-secret';
import { MERCHANT_REFUSALS, merchantHandler, merchantStream } from '../merchant-stream';
import { untilUsable } from './until-usable';

export interface MintedKey {
  readonly answer: Omit<CreateNamedKeyAnswer, 'name'> & { readonly name: string | null };
  readonly position: Position | null;
  readonly repeated: boolean;
}

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
  ): Promise<MintedKey> {
    const { keyRing, clock } = this.runtime;
    const handle = merchantHandler(this.runtime);
    const stream = merchantStream(merchant_id);
    const { handled, caller: asked } = await onceADay(this.runtime, caller, async (asked) => {
      const created_at = isoTime(clock.now());
      const text = keyTextOf(keyRing, asked.command_id, { mode: wanted.mode, created_at });
      const command = {
        ...wanted,
        type: 'CreateApiKey',
        key_id: keyIdOf(asked, wanted.mode),
        key_hash: hashOfKey(text),
        created_at,
      } as const;
      const origin = { ...originOf(asked), merchant_id };
      return { stream, handled: await handle(stream, command, origin) };
    });
    if (!handled.ok) throw refused(MERCHANT_REFUSALS, handled);
    await untilUsable(this.directory, handled.position);

    const [event] = handled.events;
    invariant(event?.type === 'ApiKeyCreated', 'minting a key makes one');
    const { key_id, mode, name, created_at } = event.data as ApiKeyCreated['data'];
    const key = keyTextOf(keyRing, asked.command_id, { mode, created_at });
    const { position, repeated } = handled;
    return { answer: { key, id: key_id, name, mode, created_at }, position, repeated };
  }
}
