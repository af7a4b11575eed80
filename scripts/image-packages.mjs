// Which packages of node_modules the programs can reach, read from the lockfile as Node resolves names.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './terminal.mjs';

/** Peers that are only wanted by compilers. */
const NEVER = ['typescript'];

/**
 * The places (`node_modules/a/node_modules/b`) of what the production dependencies stand on. `present` tells whether a
 * place is there, `assets` are packages of which nothing is loaded, `without` are dependencies to leave out; `roots` are
 * other packages to begin with.
 */
export function keptPackages({ present, assets, without, roots }) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const left_out = new Set([...NEVER, ...without]);
  const kept = new Set();

  const add = (name, from) => {
    if (left_out.has(name)) return;
    const place = placeOf(name, from);
    if (place === null || kept.has(place)) return;
    kept.add(place);
    if (assets.includes(name)) return;
    const { dependencies, optionalDependencies, peerDependencies } = packages[place];
    const wanted = { ...dependencies, ...optionalDependencies, ...peerDependencies };
    for (const other of Object.keys(wanted)) add(other, place);
  };

  /** Node looks into every node_modules on the way up. */
  const placeOf = (name, from) => {
    for (let at = from; ; at = at.slice(0, Math.max(at.lastIndexOf('/node_modules/'), 0))) {
      const place = `${at ? `${at}/` : ''}node_modules/${name}`;
      if (packages[place] && present(place)) return place;
      if (at === '') return null;
    }
  };

  for (const name of roots ?? Object.keys(packages[''].dependencies)) add(name, '');
  return kept;
}
