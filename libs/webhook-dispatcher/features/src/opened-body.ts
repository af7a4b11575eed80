import { withOpenedTexts } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';

/** What is kept of a body, as it is sent and shown: personal data in it is opened only then, so it can be erased. */
export const openedBody = (
  { keyRing }: Pick<Runtime, 'keyRing'>,
  body: string,
): Promise<string> =>
  withOpenedTexts(body, (subject_id, sealed) => keyRing.openPersonal(subject_id, sealed));
