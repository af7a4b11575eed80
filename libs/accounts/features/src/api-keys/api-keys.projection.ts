import type { ApiKeyCreated, ApiKeyRotated, MerchantEvent } from '@tender/accounts-domain';
import { ownEvents, projectionFollower, type Projection } from '@tender/eventing';

export const API_KEYS = 'accounts.api-keys@1';
export const API_KEYS_FOLLOWER = projectionFollower(API_KEYS, 'all');

const insertInto = (table: string): string => `insert into ${table}
    (id, merchant_id, mode, name, key_hash, is_active, created_at)
  select id, merchant_id, mode, name, key_hash, true, created_at
  from jsonb_to_recordset($1::jsonb) as fresh
    (id text, merchant_id text, mode text, name text, key_hash text, created_at text)
  on conflict (id) do nothing`;
const deactivateIn = (table: string): string =>
  `update ${table} set is_active = false where id = any($1)`;

/** Keys by hash, for the gateway, and by merchant. A rotation takes effect on both keys at once. */
export const apiKeys: Projection = {
  name: API_KEYS,
  nouns: ['merchant'],
  modes: ['all'],
  table: 'accounts.api_keys',
  async apply(events, tx, table) {
    const created = ownEvents<MerchantEvent>(events).filter(makesKey);
    const rows = created.map(({ data }) => ({ id: data.key_id, ...data }));
    const rotated = created.flatMap((event) =>
      event.type === 'ApiKeyRotated' ? [event.data.old_key_id] : [],
    );
    if (rows.length > 0) await tx.query(insertInto(table), [JSON.stringify(rows)]);
    if (rotated.length > 0) await tx.query(deactivateIn(table), [rotated]);
  },
};

const makesKey = (event: MerchantEvent): event is ApiKeyCreated | ApiKeyRotated =>
  event.type === 'ApiKeyCreated' || event.type === 'ApiKeyRotated';
