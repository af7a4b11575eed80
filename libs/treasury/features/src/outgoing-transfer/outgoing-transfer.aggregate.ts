import { aggregate, type ReadModels } from '@tender/eventing';
import { MODES, type Mode } from '@tender/kernel';
import { hasEnded, outgoingTransferDecider } from '@tender/treasury-domain';

/** One transfer out of an operating wallet; its id is that of what it is for. */
export const outgoingTransfer = aggregate({
  noun: 'outgoingtransfer',
  modes: MODES,
  decider: outgoingTransferDecider,
  begins: [],
  view: {
    name: 'treasury.outgoing_transfers@1',
    table: 'treasury.outgoing_transfers',
    merchantOf: ({ transfer }) => transfer.merchant_id,
    columns: {
      status: ['text', ({ status }) => status],
      /** What the workers still have to do. */
      is_open: ['boolean', (state) => !hasEnded(state)],
      has_marker: ['boolean', ({ status, is_marker_reclaimed }) => status === 'completed' && !is_marker_reclaimed],
    },
  },
});

/** What a worker has to look at; the rows may be a little behind the log. */
export async function transfersWith(
  readModels: Pick<ReadModels, 'query'>,
  mode: Mode,
  column: 'is_open' | 'has_marker',
): Promise<readonly string[]> {
  const rows = await readModels.query<{ id: string }>(
    `select id from treasury.outgoing_transfers where mode = $1 and ${column} order by id`,
    [mode],
  );
  return rows.map(({ id }) => id);
}
