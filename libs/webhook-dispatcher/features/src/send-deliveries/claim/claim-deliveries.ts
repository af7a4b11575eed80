import type { ReadModels, Sql } from '@tender/eventing';
import { LEASE_MS } from '../leases/leases';
import { QUEUES, type Queue } from '../queues';
import type { ClaimedAhead } from './claimed-ahead';
import {
  CLAIMED_COLUMNS,
  CLAIMED_JOINS,
  claimedOf,
  type ClaimedDelivery,
  type ClaimedRow,
} from './claimed-delivery';
import type { EndpointLoad } from './endpoint-load';

export interface ClaimOptions {
  readonly queue: Queue;
  /** Business time. */
  readonly now: number;
  /** Wall time. */
  readonly wall: number;
  readonly owner: string;
  readonly load: EndpointLoad;
  readonly ahead: ClaimedAhead;
  /** Endpoints of which a moment ago nothing could be claimed. */
  readonly blocked: readonly string[];
}

const ENDPOINTS_PER_CLAIM = 256;

const DUE_ENDPOINTS = `
  select endpoint_id, mode || ':' || merchant_id as merchant
  from webhook_dispatcher.endpoint_queue
  where lane = $1 and due_at <= $2 and endpoint_id <> all($3)
    and mode || ':' || merchant_id <> all($4)
  order by due_at limit $5
  for update skip locked`;

const IN_ORDER = `
  and not exists (
    select from webhook_dispatcher.queued_deliveries earlier
    where earlier.resource_id = waiting.resource_id and earlier.lane = 0
      and earlier.resource_version < waiting.resource_version)`;

// By due time alone, as the index has it: an endpoint's millionth waiting delivery costs nothing here.
const claimStatement = (condition: string): string => `
  with picked as (
    select next.delivery_id from unnest($1::text[], $2::int[]) as room (endpoint_id, places)
    cross join lateral (
      select waiting.delivery_id from webhook_dispatcher.queued_deliveries waiting
      where waiting.endpoint_id = room.endpoint_id and waiting.lane = $3 and waiting.due_at <= $4
        and waiting.lease_owner is null ${condition}
      order by waiting.due_at limit room.places
      for update skip locked
    ) next
  ), taken as (
    update webhook_dispatcher.queued_deliveries queued set lease_owner = $5, lease_until = $6
    from picked where queued.delivery_id = picked.delivery_id
    returning queued.delivery_id
  )
  select ${CLAIMED_COLUMNS} from taken
  join webhook_dispatcher.deliveries c on c.id = taken.delivery_id ${CLAIMED_JOINS}`;

const CLAIM: Readonly<Record<Queue, string>> = {
  [QUEUES.first]: claimStatement(IN_ORDER),
  [QUEUES.retry]: claimStatement(''),
};

const NEXT_DUE = `
  update webhook_dispatcher.endpoint_queue queue
  set due_at = (
    select min(due_at) from webhook_dispatcher.queued_deliveries waiting
    where waiting.endpoint_id = queue.endpoint_id and waiting.lane = queue.lane
      and waiting.lease_owner is null)
  where queue.lane = $1 and queue.endpoint_id = any($2)`;

/** Business time (ms) of the next delivery of these queues; null when there is none. */
export async function nextDue(sql: Sql, queues: readonly Queue[]): Promise<number | null> {
  const [row] = await sql.query<{ due: number | null }>(
    `select min(due_at)::float8 as due from webhook_dispatcher.endpoint_queue
      where lane = any($1) and due_at is not null`,
    [queues],
  );
  return row?.due ?? null;
}

interface DueEndpoint {
  readonly endpoint_id: string;
  readonly merchant: string;
}

export interface Claim {
  readonly deliveries: readonly ClaimedDelivery[];
  /** Endpoints that were due, but of which nothing could be claimed. */
  readonly blocked: readonly string[];
}

/** Leases due deliveries, endpoint by endpoint, as many as there is room for. */
export function claimDeliveries(readModels: ReadModels, options: ClaimOptions): Promise<Claim> {
  return readModels.transaction((tx) => claimIn(tx, options));
}

async function claimIn(tx: Sql, options: ClaimOptions): Promise<Claim> {
  const { queue, now, wall, owner, blocked } = options;
  const full = options.ahead.full(queue);
  const due = await tx.query<DueEndpoint>(DUE_ENDPOINTS, [
    queue,
    now,
    [...full.endpoints, ...blocked],
    full.merchants,
    ENDPOINTS_PER_CLAIM,
  ]);
  const room = roomFor(due, options);
  if (room.length === 0) return { deliveries: [], blocked: [] };

  const ids = room.map(({ endpoint_id }) => endpoint_id);
  const rows = await tx.query<ClaimedRow>(CLAIM[queue], [
    ids,
    room.map(({ places: most }) => most),
    queue,
    now,
    owner,
    wall + LEASE_MS,
  ]);
  await tx.query(NEXT_DUE, [queue, ids]);
  const served = new Set(rows.map(({ endpoint_id }) => endpoint_id));
  return { deliveries: rows.map(claimedOf), blocked: ids.filter((id) => !served.has(id)) };
}

/** Splits the free places, and adds what may wait: no endpoint, merchant or queue gets more than its cap. */
function roomFor(due: readonly DueEndpoint[], { queue, wall, load, ahead }: ClaimOptions) {
  const left = new Map<string, number>();
  const left_ahead = new Map<string, number>();
  let free = load.placesOf(queue, wall);
  let free_ahead = ahead.limits.total_max - ahead.size;
  return due.flatMap(({ endpoint_id, merchant }) => {
    const of_merchant = left.get(merchant) ?? load.roomOfMerchant(merchant);
    const most = Math.max(0, Math.min(load.roomOf(endpoint_id), of_merchant, free));
    const ahead_of_merchant = left_ahead.get(merchant) ?? ahead.roomOfMerchant(merchant);
    const wait = Math.min(ahead.roomOf(endpoint_id, queue), ahead_of_merchant, free_ahead);
    left.set(merchant, of_merchant - most);
    left_ahead.set(merchant, ahead_of_merchant - wait);
    free -= most;
    free_ahead -= wait;
    return most + wait > 0 ? { endpoint_id, places: most + wait } : [];
  });
}
