import {
  idOf,
  modeOf,
  ownEvent,
  type Projection,
  type Sql,
  type StoredEvent,
  type StreamName,
} from '@tender/eventing';
import { endpointDecider, type Endpoint, type EndpointEvent } from '@tender/webhook-dispatcher-domain';
import { merchantKey } from '../merchant-in-mode';
import { ENDPOINTS, readEndpoints } from './endpoint-row';

const upsertInto = (table: string): string => `
  insert into ${table}
    (mode, merchant_id, url, secret, previous_secret, previous_until, configured, revision)
  select * from jsonb_to_recordset($1::jsonb) as fresh (mode text, merchant_id text, url text,
    secret text, previous_secret text, previous_until bigint, configured boolean, revision integer)
  on conflict (mode, merchant_id) do update set
    url = excluded.url, secret = excluded.secret, previous_secret = excluded.previous_secret,
    previous_until = excluded.previous_until, configured = excluded.configured,
    revision = excluded.revision`;

/** Where the sender posts each merchant's webhooks of each mode, and the sealed secrets that sign them. */
export const endpoints: Projection = {
  name: 'webhook-dispatcher.endpoints@1',
  nouns: ['endpoint'],
  modes: ['test', 'live'],
  table: ENDPOINTS,
  apply,
};

async function apply(events: readonly StoredEvent[], tx: Sql, table: string): Promise<void> {
  const known = await readEndpoints(
    tx,
    events.map(({ stream }) => ownerOf(stream)),
    table,
  );
  const rows = new Map<StreamName, object>();
  for (const event of events) {
    const owner = ownerOf(event.stream);
    // Whether a secret was shown decides commands only; a row need not know it.
    const before: Endpoint = {
      ...endpointDecider.initial,
      ...known.get(merchantKey(owner)),
    };
    const after = endpointDecider.evolve(before, ownEvent<EndpointEvent>(event));
    known.set(merchantKey(owner), { ...after, revision: event.revision });
    rows.set(event.stream, {
      ...owner,
      url: after.url,
      secret: after.secret,
      previous_secret: after.previous?.secret ?? null,
      previous_until: after.previous?.until ?? null,
      configured: after.configured,
      revision: event.revision,
    });
  }
  await tx.query(upsertInto(table), [JSON.stringify([...rows.values()])]);
}

const ownerOf = (stream: StreamName) => ({ mode: modeOf(stream), merchant_id: idOf(stream) });
