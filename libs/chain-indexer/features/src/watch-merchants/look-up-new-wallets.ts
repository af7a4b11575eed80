import type { Runtime } from '@tender/eventing';
import type { NetworkMemory } from '../network-memory/network-memory';
import { insertWalletLookUps } from './wallet-look-up.record';

/**
 * A wallet that is heard of later than this is watched from then on, without what came before: a long history would
 * keep new blocks waiting. It was opened under a release that did not watch it.
 */
const LOOKED_BACK_MS = 24 * 60 * 60 * 1_000;

interface NewWallet {
  readonly memory: NetworkMemory;
  /** In the book already: `recent` answers for what comes from now on. */
  readonly addresses: readonly string[];
  /** When it was made known, by the clock of the process that did. */
  readonly recorded_wall_ms: number;
}

/** An address to look up, in these blocks or, null, wherever the chain says. */
export interface DueLookUp {
  readonly memory: NetworkMemory;
  readonly address: string;
  readonly slots: readonly number[] | null;
}

/**
 * Where money may have come to a wallet between its making and now (C8). Only for wallets that are new: what a wallet
 * had before its merchant named it is no money of payments.
 */
export const dueLookUps = (
  { memory, addresses, recorded_wall_ms }: NewWallet,
  wall_ms: number,
): readonly DueLookUp[] =>
  addresses.flatMap((address) => {
    const slots = memory.book.recent.slotsNaming(address, recorded_wall_ms, wall_ms);
    const is_old = slots === null && wall_ms - recorded_wall_ms > LOOKED_BACK_MS;
    return is_old ? [] : { memory, address, slots };
  });

/** From the next pass on they are looked up, by this process or by the one that follows it. */
export async function beginLookUps(
  { readModels }: Pick<Runtime, 'readModels'>,
  due: readonly DueLookUp[],
): Promise<void> {
  // Committed before a pass may end them: a row that came later would be looked up again at every start.
  const rows = due.map(({ memory: { mode }, address }) => ({ mode, address }));
  await insertWalletLookUps(readModels, rows);
  for (const { memory, address, slots } of due) memory.book.lookUps.set(address, slots);
}
