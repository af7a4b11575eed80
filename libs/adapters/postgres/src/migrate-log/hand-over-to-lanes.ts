import type { Position, PublicEvent, Sql, StreamMode } from '@tender/eventing';

/** How another bus parts what one process did alone. */
export interface Lanes {
  /** Of a consumer's mode, as the bus names them: `<context>/<partition>`. */
  readonly lanes: (mode: StreamMode) => readonly string[];
  /** Where this bus would put a message that is parked. */
  readonly laneOf: (message: PublicEvent) => string;
  /** What fills the topics: the follower `relay.payments:test` in the schema `payments`. */
  readonly relays: readonly {
    readonly schema: string;
    readonly follower: string;
    readonly mode: StreamMode;
  }[];
}

interface Heard {
  readonly consumer: string;
  readonly mode: StreamMode;
  readonly position: Position | null;
}

// Projections have a version in their names, generations a number, relays a prefix, lanes a third part.
export const ALONE = "follower !~ '[@#]' and follower not like 'relay.%' and follower ~ '^[^:]+:[^:]+$'";
const CONSUMERS = (schema: string): string => `
  select split_part(follower, ':', 1) as consumer, split_part(follower, ':', 2) as mode, position
  from ${schema}.checkpoints
  where ${ALONE}`;
const SET = (schema: string): string => `
  insert into ${schema}.checkpoints as kept (follower, position, epoch, owner)
  values ($1, $2, 1, 'migrate-log')
  on conflict (follower) do update
    set position = excluded.position, epoch = kept.epoch + 1, owner = excluded.owner`;

/**
 * Each lane begins where its consumer was, and parked messages go to their lanes. The relays begin behind the
 * slowest consumer of their mode: what others have heard by then comes again and is dropped by their lanes'
 * checkpoints; nothing is lost and nothing takes effect twice. After the positions were translated.
 */
export async function handOverToLanes(
  tx: Sql,
  schemas: readonly string[],
  { lanes, laneOf, relays }: Lanes,
): Promise<void> {
  const heard: Heard[] = [];
  for (const schema of schemas) {
    const consumers = await tx.query<Heard>(CONSUMERS(schema));
    heard.push(...consumers);
    for (const { consumer, mode, position } of consumers) {
      for (const lane of lanes(mode)) {
        await tx.query(SET(schema), [`${consumer}:${mode}:${lane}`, position]);
      }
    }
    const parked = await tx.query<{ id: string; message: PublicEvent }>(
      `select id, message from ${schema}.parked where lane = '' order by id`,
    );
    for (const { id, message } of parked) {
      await tx.query(`update ${schema}.parked set lane = $2 where id = $1`, [id, laneOf(message)]);
    }
  }
  for (const { schema, follower, mode } of relays) {
    const positions = heard.filter((one) => one.mode === mode).map(({ position }) => position);
    await tx.query(SET(schema), [follower, slowest(positions)]);
  }
}

/** Null, the beginning, where a consumer has heard nothing yet, or there is none. */
function slowest(positions: readonly (Position | null)[]): Position | null {
  const known = positions.filter((position) => position !== null);
  if (known.length < positions.length) return null;
  return known.sort((one, other) => (BigInt(one) < BigInt(other) ? -1 : 1))[0] ?? null;
}
