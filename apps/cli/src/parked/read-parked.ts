import { WAITS_FOR_OPERATOR, type PublicEvent, type Sql } from '@tender/eventing';
import { CommandFault, UsageFault } from '../faults';
import { CONTEXTS, type System } from '../system';

export interface ParkedMessage {
  /** `<schema>:<number>`; numbers alone are not unique. */
  readonly id: string;
  readonly consumer: string;
  readonly mode: string;
  readonly key: string;
  readonly position: string;
  readonly type: string;
  readonly tries: number;
  readonly error: string | null;
  readonly parked_at: string;
  /** Later messages of its key, which wait for it. */
  readonly behind: number;
  readonly message: PublicEvent;
}

/** `payments:12` */
export interface ParkedId {
  readonly schema: string;
  readonly number: string;
}

const MESSAGES = (schema: string): string => `
  select '${schema}:' || id as id, consumer, mode, key, position, message->>'type' as type, tries,
    error, parked_at::text as parked_at, message, ${WAITS_FOR_OPERATOR} as waits,
    (count(*) over (partition by consumer, mode, key) - 1)::int as behind
  from ${schema}.parked`;

/** Those that wait for an operator, oldest first. */
export async function listParked({ readModels }: System): Promise<readonly ParkedMessage[]> {
  const messages: ParkedMessage[] = [];
  for (const { schema } of CONTEXTS) {
    const sql = `select * from (${MESSAGES(schema)}) as parked where waits
      order by parked_at`;
    messages.push(...(await readModels.query<ParkedMessage>(sql)));
  }
  return messages;
}

/** Throws a `CommandFault` when there is none of that id (any more). */
export async function readParked(sql: Sql, id: ParkedId): Promise<ParkedMessage> {
  const [message] = await sql.query<ParkedMessage>(
    `select * from (${MESSAGES(id.schema)}) as parked where id = $1`,
    [`${id.schema}:${id.number}`],
  );
  if (message) return message;
  throw new CommandFault(
    `No message ${id.schema}:${id.number} is parked (any more). "tender ops parked" lists what is.`,
  );
}

export function parkedId(text: string): ParkedId {
  const [schema, number] = text.split(':');
  const known = CONTEXTS.find((context) => context.schema === schema);
  if (known && number && /^\d{1,18}$/.test(number)) return { schema: known.schema, number };
  throw new UsageFault(`"${text}" is not the id of a parked message; one looks like payments:12.`);
}
