import path from 'node:path';
import type { Bench } from '../bench';
import { Child } from '../child';
import type { Figures } from '../report/entry';
import type { FiguresSide } from './figures-side';

/** FROST alone: no judge, no ledger, no chain; a signature after the other. */
export async function bareSigning({ flags: { warmup_ms, timed_ms } }: Bench): Promise<FiguresSide> {
  const child = Child.start(path.join(__dirname, '../baselines/frost-loop.js'));
  try {
    return { figures: await child.ask<Figures>({ warmup_ms, timed_ms }), faults: [] };
  } finally {
    await child.stop();
  }
}
