import type { Sql, StreamMode } from '@tender/eventing';
import type { Endpoint } from '@tender/webhook-dispatcher-domain';
import { merchantKey, type MerchantInMode } from '../merchant-in-mode';

export type ShownEndpoint = Omit<Endpoint, 'shown'> & { readonly revision: number };

interface Row {
  readonly mode: StreamMode;
  readonly merchant_id: string;
  readonly url: string | null;
  readonly secret: string | null;
  readonly previous_secret: string | null;
  readonly previous_until: number | null;
  readonly configured: boolean;
  readonly revision: number;
}

/** The view that all but the projection itself read. */
export const ENDPOINTS = 'webhook_dispatcher.endpoints';

const selectFrom = (table: string): string => `
  select mode, merchant_id, url, secret, previous_secret, previous_until::float8 as previous_until,
    configured, revision
  from ${table}
  where (mode, merchant_id) in (select * from unnest($1::text[], $2::text[]))`;

/** By `merchantKey`; merchants without an endpoint are missing. The projection reads its own generation. */
export async function readEndpoints(
  sql: Sql,
  owners: readonly MerchantInMode[],
  table = ENDPOINTS,
): Promise<Map<string, ShownEndpoint>> {
  const distinct = [...new Map(owners.map((owner) => [merchantKey(owner), owner])).values()];
  const rows = await sql.query<Row>(selectFrom(table), [
    distinct.map(({ mode }) => mode),
    distinct.map(({ merchant_id }) => merchant_id),
  ]);
  return new Map(rows.map((row) => [merchantKey(row), shown(row)]));
}

export async function readEndpoint(sql: Sql, owner: MerchantInMode): Promise<ShownEndpoint | null> {
  return (await readEndpoints(sql, [owner])).get(merchantKey(owner)) ?? null;
}

function shown(row: Row): ShownEndpoint {
  const { url, secret, configured, revision, previous_secret, previous_until } = row;
  const previous =
    previous_secret !== null && previous_until !== null
      ? { secret: previous_secret, until: previous_until }
      : null;
  return { url, secret, previous, configured, revision };
}
