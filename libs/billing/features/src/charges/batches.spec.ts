import { installmentPlanIds, invoiceIds, newId } from '@tender/contracts';
import { CloseInvoiceLinkReactor } from '../cancel-invoice/close-invoice-link.reactor';
import { DropInstallmentsReactor } from '../open-installments/drop-installments.reactor';
import { OpenInstallmentsReactor } from '../open-installments/open-installments.reactor';
import { BeginPaymentsReactor } from './begin-payments.reactor';

const BATCH = 500;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const seed = (n: number): Buffer => Buffer.from(n.toString(16).padStart(32, '0'), 'hex');
const installment = (n: number) => ({
  ...{ installment_plan_id: newId(installmentPlanIds, 'test', seed(n)), installment_number: 1 },
});
const opened = (n: number) => ({
  object_id: installment(n).installment_plan_id,
  opened: { payment_link_id: 'l1', installment_number: 1 },
});
const invoice = (n: number) => ({
  invoice: { invoice_id: newId(invoiceIds, 'test', seed(n)), merchant_id: 'm1' },
});

test.each([
  [OpenInstallmentsReactor, installment],
  [BeginPaymentsReactor, opened],
  [DropInstallmentsReactor, installment],
  [CloseInvoiceLinkReactor, invoice],
] as const)('%p works on a whole batch a few at a time, and one that fails keeps none from its turn', async (Reactor, dataOf) => {
  const looked_up = new Set<string>();
  let [under_way, most] = [0, 0];
  const eventStore = {
    async load(stream: string) {
      looked_up.add(stream);
      under_way += 1;
      most = Math.max(most, under_way);
      await turn();
      under_way -= 1;
      throw new Error('the log is away');
    },
  };
  const batch = Array.from({ length: BATCH }, (_, n) => ({ mode: 'test', data: dataOf(n) }));
  const heard = new Reactor({ eventStore } as never).react(batch as never);
  await expect(heard).rejects.toThrow('the log is away');
  expect([looked_up.size, most]).toEqual([BATCH, 32]);
});
