import type { Runtime } from '@tender/eventing';
import type { ChargedPart } from './charged';
import { linksOfPart } from './charges.projection';
import { closeLink, type Closing } from './close-link';

/** What is settled or dropped is charged no more: closes every link of it but that one. */
export async function closeCharges(
  runtime: Pick<Runtime, 'calls' | 'eventStore' | 'readModels'>,
  closing: Closing,
  which: Pick<ChargedPart, 'object_id' | 'part'>,
  but: string | null = null,
): Promise<void> {
  const links = await linksOfPart(runtime, closing.mode, which);
  const open = links.filter((link) => link !== but);
  await Promise.all(open.map((link) => closeLink(runtime, closing, link)));
}
