import { Controller, Inject, Res } from '@nestjs/common';
import { listKeys, type ApiKeyAnswer, type RequestContext } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { Caller, listing, RUNTIME, Serves } from '@tender/http';
import { isoTime, type Mode } from '@tender/kernel';
import type { FastifyReply } from 'fastify';
import { API_KEYS_FOLLOWER } from '../api-keys/api-keys.projection';
import { KEY_DIRECTORY, type KeyDirectory } from '../key-directory/key-directory';

interface KeyRow {
  readonly id: string;
  readonly mode: Mode;
  readonly is_active: boolean;
  readonly created_at: string;
  readonly last_used_ms: string | null;
}

/** Never cut: a merchant who looks for a leaked key must see them all. */
const keys = listing({
  view: {
    table: `(select key.*, usage.last_used_ms
      from accounts.api_keys key left join accounts.key_usage usage on usage.key_id = key.id)`,
    schema: 'accounts',
    follower: () => API_KEYS_FOLLOWER,
  },
  columns: 'id, mode, is_active, created_at, last_used_ms',
  pages: false,
  show: (row: KeyRow) => row,
});

@Controller()
export class ListKeysHttp {
  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(KEY_DIRECTORY) private readonly directory: KeyDirectory,
  ) {}

  @Serves(listKeys)
  async list(
    @Caller() caller: RequestContext,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ApiKeyAnswer[]> {
    const rows = await keys.array(this.runtime, caller, {}, reply);
    return rows.map(({ last_used_ms, ...key }) => {
      const used_ms = Math.max(Number(last_used_ms ?? 0), this.directory.lastUsed(key.id) ?? 0);
      return { ...key, last_used_at: used_ms > 0 ? isoTime(used_ms) : null };
    });
  }
}
