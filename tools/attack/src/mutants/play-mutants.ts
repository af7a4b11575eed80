import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Attack } from '../attack';
import { play } from '../run-attacks';
import type { Battlefield } from '../stage/battlefield';
import { programIn, ROOT } from '../stage/signer-files';
import { Target } from '../stage/target';
import type { Mutant } from './find-mutants';
import { MutantTree } from './mutant-tree';

/** What became of a signer with a guard less. */
export interface Hunted {
  readonly mutant: Mutant;
  /** The attack that it no longer refuses as it must; null: it survived. */
  readonly found_by: string | null;
}

/** Runs signer A with each of them in turn, beside the B that has all its guards. */
export async function playMutants(
  mutants: readonly Mutant[],
  attacks: readonly Attack[],
  field: Battlefield,
  told: (hunted: Hunted) => void,
): Promise<readonly Hunted[]> {
  const tree = new MutantTree();
  const whole = field.programs.A;
  const results: Hunted[] = [];
  try {
    await proveTree(mutants, attacks, field, tree);
    for (const mutant of mutants) {
      const found_by = await tree.with([mutant], () => hunt(inOrder(attacks, mutant), field, tree));
      results.push({ mutant, found_by });
      told({ mutant, found_by });
    }
    return results;
  } finally {
    await field.restart('A', whole);
    tree.remove();
  }
}

/** Compiled anew but unchanged, a signer must refuse everything: else any mutant would be found by its compiling. */
async function proveTree(
  mutants: readonly Mutant[],
  attacks: readonly Attack[],
  field: Battlefield,
  tree: MutantTree,
): Promise<void> {
  const files = [...new Set(mutants.map(({ file }) => file))];
  const same = files.map((file) => ({ file, source: readFileSync(join(ROOT, file), 'utf8') }));
  const ofAreas = new Map(attacks.map((attack) => [attack.area, attack]));
  const found_by = await tree.with(same, () => hunt([...ofAreas.values()], field, tree));
  if (found_by !== null) throw new Error(`a signer without any change was found by ${found_by}`);
}

/** The first attack that is not refused as it must be, and what A said to it. */
async function hunt(
  attacks: readonly Attack[],
  field: Battlefield,
  { root }: MutantTree,
): Promise<string | null> {
  try {
    await field.restart('A', programIn(root));
  } catch (error) {
    return `its start: ${(error as Error).message}`;
  }
  await field.nodesAreWell();
  const target = await Target.open(field).catch((error: Error) => error);
  if (target instanceof Error) return `the making of a wallet: ${target.message}`;
  for (const attack of attacks) {
    const { refused, told } = await play(attack, target);
    if (!refused) return `${attack.area}: ${attack.name} (A ${told.A})`;
  }
  return null;
}

/** First those that expect the code of the missing guard, then one of each kind, then the rest. */
function inOrder(attacks: readonly Attack[], { code }: Mutant): readonly Attack[] {
  const meant = attacks.filter(({ expects }) => code !== null && expects.includes(code));
  const others = attacks.filter((attack) => !meant.includes(attack));
  const kindOf = ({ area, expects }: Attack): string => `${area} ${expects}`;
  const kinds = new Map(others.map((attack) => [kindOf(attack), attack]));
  const samples = [...kinds.values()];
  return [...meant, ...samples, ...others.filter((attack) => !samples.includes(attack))];
}
