import type { Sql } from '@tender/eventing';

/** When a passkey was last used, and how often its authenticator says that it was. */
export interface PasskeyUse {
  readonly passkey_id: string;
  readonly used_ms: number;
}

/**
 * False where the authenticator’s counter has not grown: the passkey may have been copied (S35). Authenticators that
 * count nothing say 0 each time.
 */
export async function recordUse(
  sql: Sql,
  {
    merchant_id,
    passkey_id,
    counter,
    used_ms,
  }: PasskeyUse & { readonly merchant_id: string; readonly counter: number },
): Promise<boolean> {
  const recorded = await sql.query(
    `insert into accounts.passkey_uses as known (merchant_id, passkey_id, counter, used_ms)
      values ($1, $2, $3, $4)
      on conflict (merchant_id, passkey_id)
        do update set counter = excluded.counter, used_ms = excluded.used_ms
        where excluded.counter > known.counter or (excluded.counter = 0 and known.counter = 0)
      returning passkey_id`,
    [merchant_id, passkey_id, counter, used_ms],
  );
  return recorded.length > 0;
}

export const usesOf = (sql: Sql, merchant_id: string): Promise<PasskeyUse[]> =>
  sql.query<PasskeyUse>(
    `select passkey_id, used_ms::float8 as used_ms from accounts.passkey_uses where merchant_id = $1`,
    [merchant_id],
  );
