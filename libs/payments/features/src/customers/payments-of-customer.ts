import type { CustomerOf, Sql } from '@tender/eventing';

/** The ids of payments that name a customer, from the start or since the customer has said who they are. */
export async function paymentsOfCustomer(
  sql: Sql,
  { merchant_id, mode }: Pick<CustomerOf, 'merchant_id' | 'mode'>,
  subject_id: string,
): Promise<readonly string[]> {
  const rows = await sql.query<{ id: string }>(
    `select id from payments.payment_details
      where merchant_id = $1 and mode = $2 and state->'customer'->>'subject_id' = $3`,
    [merchant_id, mode, subject_id],
  );
  return rows.map(({ id }) => id);
}
