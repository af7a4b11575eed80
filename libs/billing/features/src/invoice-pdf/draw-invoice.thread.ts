import { drawInvoice, type PrintedInvoice } from './draw-invoice';

/** What the thread of `InvoicePrinter` does. */
export default (printed: PrintedInvoice): Promise<Uint8Array> => drawInvoice(printed);
