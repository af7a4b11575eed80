import type { Instruction, Message } from './message';
import type { Bounds } from './template';

export type AssertFault = 'too_many_asserts' | 'assert_touches_sponsor' | 'assert_writes';

/**
 * The kinds that only read the accounts that they name. Below are those that write what an account holds to an account
 * that a payer makes for it; above, those that call another program.
 */
const FIRST_KIND = 2;
const LAST_KIND = 14;

interface Around {
  readonly built: Message;
  readonly customer: string;
  readonly sponsor: string | null;
  readonly bounds: Bounds;
}

/** What these asserts do beside asserting; null: nothing. */
export function faultOfAsserts(
  asserts: readonly Instruction[],
  around: Around,
): AssertFault | null {
  const { built, customer, sponsor, bounds } = around;
  if (asserts.length > bounds.asserts_max) return 'too_many_asserts';
  const accounts = asserts.flatMap((assert) => assert.accounts);
  if (accounts.some(({ address }) => address === sponsor)) return 'assert_touches_sponsor';
  const written = new Set(
    built.accounts.filter(({ writable }) => writable).map(({ address }) => address),
  );
  const foreign = accounts.some(
    ({ address, writable }) => writable && address !== customer && !written.has(address as string),
  );
  return foreign || !asserts.every(onlyReads) ? 'assert_writes' : null;
}

function onlyReads({ data }: Instruction): boolean {
  const kind = data[0] ?? 0;
  return kind >= FIRST_KIND && kind <= LAST_KIND;
}
