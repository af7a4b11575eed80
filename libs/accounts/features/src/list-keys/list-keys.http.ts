import { Controller, Inject, Res } from '@nestjs/common';
import { listKeys, type ApiKeyAnswer, type RequestContext } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { awaitOwnWrites, Caller, RUNTIME, Serves } from '@tender/http';
import { isoTime, type Mode } from '@tender/kernel';
import type { FastifyReply } from 'fastify';
import { API_KEYS_FOLLOWER } from '../api-keys/api-keys.projection';
import { KEY_DIRECTORY, type KeyDirectory } from '../key-directory/key-directory';

const LIST = `select key.id, key.mode, key.is_active, key.created_at, usage.last_used_ms
  from accounts.api_keys key left join accounts.key_usage usage on usage.key_id = key.id
  where key.merchant_id = $1 and key.mode = $2
  order by key.created_at desc, key.id desc`;

interface KeyRow {
  readonly id: string;
  readonly mode: Mode;
  readonly is_active: boolean;
  readonly created_at: string;
  readonly last_used_ms: string | null;
}

@Controller()
export class ListKeysHttp {
  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(KEY_DIRECTORY) private readonly directory: KeyDirectory,
  ) {}

  /** Never cut: whoever looks for a leaked key must see them all. */
  @Serves(listKeys)
  async list(
    @Caller() caller: RequestContext,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ApiKeyAnswer[]> {
    const follower = { schema: 'accounts', follower: API_KEYS_FOLLOWER };
    await awaitOwnWrites(this.runtime, caller, follower, reply);
    const rows = await this.runtime.readModels.query<KeyRow>(LIST, [
      caller.merchant_id,
      caller.mode,
    ]);
    void reply.header('X-Total-Count', String(rows.length));
    return rows.map(({ id, mode, is_active, created_at, last_used_ms }) => {
      const used_ms = Math.max(Number(last_used_ms ?? 0), this.directory.lastUsed(id) ?? 0);
      return {
        id,
        mode,
        is_active,
        created_at,
        last_used_at: used_ms > 0 ? isoTime(used_ms) : null,
      };
    });
  }
}
