import { treeCpu } from '../machine/processes';
import { RowWatch } from '../machine/row-watch';
import { inParallel } from '../product/merchants';
import type { Product } from '../product/product';
import { eventually } from '../product/request';
import type { Figures } from '../report/entry';
import type { PaidPayment } from './refunding-shop';

const ASKED_AT_ONCE = 16;
const LAST_SIGNED_MS = 180_000;
const SENT = `SELECT position, split_part(stream, '-', 2) AS id FROM log.events
  WHERE position > $1 AND type = 'RefundSent' ORDER BY position`;

/** A backlog of refunds, until each is signed by both signers and its service has recorded that. */
export async function allAtOnce(
  product: Product,
  payments: readonly PaidPayment[],
): Promise<Figures> {
  const watch = await RowWatch.start(product.server.connection_string, SENT);
  try {
    const [began, cpu_s] = [performance.now(), treeCpu(product.pid)];
    await inParallel(payments.length, ASKED_AT_ONCE, async (number) => {
      await (payments[number] as PaidPayment).refund();
    });
    const asked_ms = performance.now() - began;
    const isUnsigned = ({ payment_id }: PaidPayment) => !watch.seen.has(payment_id);
    const unsigned = async () => payments.filter(isUnsigned).length;
    await eventually('signed refunds', unsigned, (count) => count === 0, LAST_SIGNED_MS);
    const signed_s = (performance.now() - began) / 1000;
    const cpu_ms = ((treeCpu(product.pid) - cpu_s) * 1000) / payments.length;
    const per_s = payments.length / signed_s;
    const asked_per_s = payments.length / (asked_ms / 1000);
    return { per_s, cpu_ms, asked_per_s };
  } finally {
    await watch.stop();
  }
}
