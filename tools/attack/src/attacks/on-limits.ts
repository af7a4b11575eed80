import { peerOf } from '@tender/signer-features';
import type { HostedRole } from '@tender/threshold';
import { atEach, ofArea, type Attack } from '../attack';
import { USDC, type Target } from '../stage/target';

const AT_ONCE = 40;
/** Ten of them are a day’s limit. */
const EACH = 1_000n * USDC;
const ALL_OF_IT = '10 signed, 30 day_limit_exceeded, 1000000 cents used';

/** Many at once at a wallet of their own, each proposed to one signer first and to the other then. */
async function atOnce(target: Target, order: readonly [HostedRole, HostedRole]): Promise<string> {
  const { field, transfers, roster, credited, wallet } = await target.another();
  const operations = Array.from({ length: AT_ONCE }, () => transfers.operation(credited, EACH));
  const messages = await Promise.all(operations.map((op) => transfers.message(op)));
  const results = await Promise.all(
    operations.map((op, place) =>
      field.treasury.sign(roster, op, messages[place] as Uint8Array, undefined, order),
    ),
  );
  const [first] = order;
  const refused = results.filter((one) => one === `${first}: day_limit_exceeded`).length;
  const signed = results.filter((one) => typeof one !== 'string').length;
  const used = await Promise.all(order.map((role) => usedAt({ field, wallet }, role)));
  const agreed = new Set(used).size === 1 ? `${used[0]} cents used` : `${used.join(' or ')} used`;
  return `${signed} signed, ${refused} day_limit_exceeded, ${agreed}`;
}

async function usedAt(
  { field, wallet }: Pick<Target, 'field' | 'wallet'>,
  role: HostedRole,
): Promise<number> {
  const told = await field.treasury.told(role, 'describe', { wallet });
  return (told as { day_used_cents: number }).day_used_cents;
}

export const onLimits: readonly Attack[] = ofArea(
  'limits',
  [
    ALL_OF_IT,
    '40 at once against a limit of 10, and what both ledgers say of it',
    (target) => atEach((role) => atOnce(target, [role, peerOf(role)])),
  ],
  [
    'day_limit_exceeded',
    'a refund and a settlement that exceed the day together',
    async (target) => {
      const other = await target.another();
      const first = other.transfers.operation(other.credited, 9_999n * USDC);
      await other.begun(first);
      const op = other.settlement();
      return atEach((role) => other.propose(role, op));
    },
  ],
);
