import { Controller, Inject, Param, Res } from '@nestjs/common';
import { passkeysOf, type merchantDecider, type RemovePasskey } from '@tender/accounts-domain';
import {
  listPasskeys,
  removePasskey,
  type ListedPasskey,
  type RemovedPasskey,
  type RequestContext,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { accepted, Caller, RUNTIME, Serves, type RefusalAnswers } from '@tender/http';
import { invariant, isoTime, type RefusalOf } from '@tender/kernel';
import type { FastifyReply } from 'fastify';
import { merchant } from '../merchant-details/merchant.aggregate';
import { SESSIONS, type Sessions } from '../sessions/sessions';
import { openNames } from './open-names';
import { usesOf } from './passkey-use.record';

const REFUSALS: RefusalAnswers<RefusalOf<typeof merchantDecider, RemovePasskey>> = {
  passkey_unknown: [404, 'not_found', 'There is no such resource.'],
};

@Controller()
export class PasskeysHttp {
  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(SESSIONS) private readonly sessions: Sessions,
  ) {}

  @Serves(listPasskeys)
  async list(
    @Caller() { merchant_id }: RequestContext,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ListedPasskey[]> {
    const known = await merchant.load(this.runtime, 'all', merchant_id);
    invariant(known, 'a session belongs to a registered merchant');
    const uses = await usesOf(this.runtime.readModels, merchant_id);
    const used = new Map(uses.map(({ passkey_id, used_ms }) => [passkey_id, isoTime(used_ms)]));
    const passkeys = passkeysOf(known).toReversed();
    void reply.header('X-Total-Count', String(passkeys.length));
    const named = await openNames(this.runtime, merchant_id, passkeys);
    return named.map(({ id, kind, name, registered_at }) => ({
      ...{ id, kind, name, created_at: registered_at },
      last_used_at: used.get(id) ?? null,
    }));
  }

  /**
   * It opens nothing any more, and what it has opened ends (S31). Sessions of others end first: a process that dies
   * between the event and what follows leaves at most the one that asks, and its repeat ends that.
   */
  @Serves(removePasskey)
  async remove(
    @Caller() caller: RequestContext,
    @Param('id') passkey_id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RemovedPasskey> {
    const { merchant_id, asker } = caller;
    invariant(asker.kind === 'session', 'only sessions are let in');
    await this.sessions.endOfPasskey(merchant_id, passkey_id, asker.session_id);
    const removed_at = isoTime(this.runtime.clock.now());
    const { handled } = await merchant.request(this.runtime, caller, () => ({
      id: merchant_id,
      command: { type: 'RemovePasskey', passkey_id, removed_at } as const,
    }));
    // Also where it was removed before: that request may have died here.
    await this.sessions.endOfPasskey(merchant_id, passkey_id, null);
    accepted(handled, REFUSALS, reply);
    return { removed: true };
  }
}
