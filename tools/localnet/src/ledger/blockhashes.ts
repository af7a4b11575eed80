import { createHash } from 'node:crypto';
import bs58 from 'bs58';
import type { Timeline } from './timeline';
import type { VmSlot } from './vm';

/** Far more than the oldest hash that a transaction may still use. */
const REMEMBERED_MAX = 2_000;
/** How many slots back a new lookup table may name as its recent slot. */
const SLOT_HASHES = 150;

/** Hashes of blocks. They follow from genesis, fork and slot, so none is ever stored. */
export class Blockhashes {
  private readonly bySlot = new Map<string, string>();
  private slotByHash = new Map<string, number>();
  private searched = '';

  constructor(
    private readonly genesisHash: string,
    private readonly timeline: Timeline,
  ) {}

  /** base58 */
  of(slot: number): string {
    const name = `${this.timeline.forkOf(slot)}/${slot}`;
    const known = this.bySlot.get(name);
    if (known) return known;
    const digest = createHash('sha256').update(`${this.genesisHash}/${name}`).digest();
    const hash = bs58.encode(digest);
    this.bySlot.set(name, hash);
    const [oldest] = this.bySlot.keys();
    if (this.bySlot.size > REMEMBERED_MAX) this.bySlot.delete(oldest ?? '');
    return hash;
  }

  /** The block with this hash among those at or after `oldest`, or null. */
  slotOf(hash: string, oldest: number): number | null {
    const { tip, revision } = this.timeline;
    if (this.searched !== `${revision}/${tip}`) {
      const slots = this.timeline.blocksBetween(oldest, tip);
      this.slotByHash = new Map(slots.map((slot) => [this.of(slot), slot]));
      this.searched = `${revision}/${tip}`;
    }
    const slot = this.slotByHash.get(hash);
    return slot === undefined || slot < oldest ? null : slot;
  }

  /** What programs see while they run in `slot`. */
  vmSlot(slot: number): VmSlot {
    const slots = this.timeline.blocksBetween(slot - SLOT_HASHES, slot).reverse();
    return {
      slot,
      unixSeconds: Math.floor(this.timeline.startMsOf(slot) / 1000),
      slotHashes: slots.map((recent) => ({ slot: BigInt(recent), hash: this.of(recent) })),
    };
  }

  /** The hash of the block before `slot`; the first block names the genesis hash. */
  parentHashOf(slot: number): string {
    const parent = this.timeline.parentOf(slot);
    return parent === null ? this.genesisHash : this.of(parent);
  }
}
