import type { Files, Words } from './files';

/** Where a context keeps what. */
export const CATALOGUE = 'libs/contracts/src/contexts.ts';
export const ERRORS = 'libs/contracts/src/errors.ts';
/** What the reference is tried with. */
export const DEMO_OBJECTS = 'tools/demo/src/demo-objects.ts';
export const STRANGERS = 'apps/scenarios/src/stories/strangers.scenario.ts';
export const ARCHITECTURE = 'docs/architecture.md';

export const contractOf = ({ context }: Words): string => `libs/contracts/src/${context}.ts`;
export const factsOf = ({ context }: Words): string => `libs/contracts/src/${context}.facts.ts`;
export const domainOf = ({ context }: Words): string => `libs/${context}/domain/src`;
export const featuresOf = ({ context }: Words): string => `libs/${context}/features/src`;

/** The folder of an aggregate in its context: `plans`, or `plan-details`. */
export function folderOf(files: Files, words: Words): string {
  const { noun, nouns } = words;
  const folders = [`${nouns}`, `${noun}-details`];
  const folder = folders.find((name) =>
    files.exists(`${featuresOf(words)}/${name}/${noun}.aggregate.ts`),
  );
  if (folder) return folder;
  const sought = `${featuresOf(words)}/${folders.join(' or ')}`;
  throw new Error(`There is no ${noun}.aggregate.ts in ${sought}.`);
}
