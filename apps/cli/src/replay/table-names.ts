import { generationTable, type Generation } from '@tender/eventing';

/** `payments.receipts_g1, payments.receipts_g2` */
export const tables = (view: string, some: readonly Pick<Generation, 'generation'>[]): string =>
  some.map(({ generation }) => generationTable(view, generation)).join(', ') || 'nothing';
