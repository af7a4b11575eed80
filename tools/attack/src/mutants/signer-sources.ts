import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ROOT } from '../stage/signer-files';
import { mutantsIn, type Mutant } from './find-mutants';

/** What a signer refuses in, beside the packages that it stands on. */
const WITH_GUARDS = ['libs/signer/domain', 'libs/signer/features', 'apps/signer', 'libs/threshold'];

/** Runs in the merchant’s browser and exit tool, at no signer: the specs beside it hold it. */
const OF_MERCHANTS = join(ROOT, 'libs', 'threshold', 'src', 'merchant');

/** What no attacker reaches at A or B through treasury and the network, with what holds it instead. */
const OUT_OF_REACH: readonly (readonly [file: string, what: string])[] = [
  // A thousand signatures under way within 15 seconds: `propose.spec.ts`.
  ['signing/propose.ts', '!sessions.hasRoom(parts.clock.wall())'],
  // R alone seals a share for disasters: `ceremony.spec.ts`.
  ['threshold/src/ceremony.ts', 'sealed_share === null'],
  // An operator’s command, which serves nothing: `rotate-kek.slice.spec.ts`.
  ['ledger/rotate-kek.ts', 'from.id === to.id'],
  ['ledger/rotate-kek.ts', 'kept === null'],
  ['ledger/rotate-kek.ts', '!(await isUnder(kept, from))'],
  // The library has added points to a point by then: there is no such sum.
  ['threshold/src/polynomial.ts', 'public_key === null'],
];

/** Every guard of the signer’s sources that the suite must find missing. */
export function signerMutants(): readonly Mutant[] {
  return WITH_GUARDS.flatMap((folder) => sourcesIn(join(ROOT, folder, 'src')))
    .flatMap((path) => mutantsIn(relative(ROOT, path), readFileSync(path, 'utf8')))
    .filter(({ file, what }) => !isOutOfReach(file, what));
}

const isOutOfReach = (file: string, what: string): boolean =>
  OUT_OF_REACH.some(([place, about]) => file.endsWith(place) && what === about);

function sourcesIn(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (path === OF_MERCHANTS) return [];
    if (entry.isDirectory()) return entry.name === 'testing' ? [] : sourcesIn(path);
    return path.endsWith('.ts') && !path.endsWith('.spec.ts') ? [path] : [];
  });
}
