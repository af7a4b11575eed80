import { Unavailable } from '@tender/eventing';
import type { PrintedInvoice } from './draw-invoice';
import { InvoicePrinter, WAITING_MAX } from './invoice-printer';

test('one more than may wait is refused at once', async () => {
  const printer = new InvoicePrinter();
  const ONE_IS_DRAWN = 1;
  const length = ONE_IS_DRAWN + WAITING_MAX;
  const asked = Array.from({ length }, () => printer.print({} as PrintedInvoice));
  const outcomes = Promise.allSettled(asked);
  await expect(printer.print({} as PrintedInvoice)).rejects.toThrow(Unavailable);
  await printer.onModuleDestroy();
  await outcomes;
});
