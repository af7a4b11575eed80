import path from 'node:path';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Unavailable } from '@tender/eventing';
import { Piscina } from 'piscina';
import type { PrintedInvoice } from './draw-invoice';

/** As it is built: a thread reads no TypeScript. */
const THREAD = path.resolve(__dirname, '../../dist/invoice-pdf/draw-invoice.thread.js');
/** Fonts stay in its memory meanwhile: who prints one invoice often prints more. */
const IDLE_MS = 30_000;
export const WAITING_MAX = 50;

/** Draws invoices in a thread of its own: parsing fonts takes hundreds of milliseconds, and no other request waits. */
@Injectable()
export class InvoicePrinter implements OnModuleDestroy {
  private readonly threads = new Piscina<PrintedInvoice, Uint8Array>({
    filename: THREAD,
    ...{ minThreads: 0, maxThreads: 1, idleTimeout: IDLE_MS, maxQueue: WAITING_MAX },
  });

  /** The PDF. Throws `Unavailable` (503) where too many wait for theirs. */
  async print(printed: PrintedInvoice): Promise<Buffer> {
    if (this.threads.queueSize >= WAITING_MAX) {
      throw new Unavailable('invoice printer', { reason: `${WAITING_MAX} invoices wait to be drawn` });
    }
    const { buffer, byteOffset, byteLength } = await this.threads.run(printed);
    return Buffer.from(buffer, byteOffset, byteLength);
  }

  async onModuleDestroy(): Promise<void> {
    await this.threads.destroy();
  }
}
