import { isRefused, type Attack, type Told } from './attack';
import type { Target } from './stage/target';

export interface Played {
  readonly attack: Attack;
  readonly told: Told;
  readonly refused: boolean;
}

/** Plays one attack. Where something in it breaks that is no refusal, it was not refused as it must be. */
export async function play(attack: Attack, target: Target): Promise<Played> {
  try {
    const told = await attack.run(target);
    return { attack, told, refused: isRefused(attack, told) };
  } catch (error) {
    const word = `broke: ${(error as Error).message}`;
    return { attack, told: { A: word, B: word }, refused: false };
  }
}

/** Of messages so many at once: none of them gets as far as to change anything. */
const AT_ONCE = 4;

/** Plays attacks in their order; those on messages beside each other. */
export async function playAll(
  attacks: readonly Attack[],
  target: Target,
  told: (played: Played) => void,
): Promise<readonly Played[]> {
  const results: Played[] = [];
  const take = async (some: readonly Attack[]): Promise<void> => {
    const played = await Promise.all(some.map((attack) => play(attack, target)));
    for (const one of played) told(one);
    results.push(...played);
  };
  for (const group of groupsOf(attacks)) await take(group);
  return results;
}

function groupsOf(attacks: readonly Attack[]): readonly (readonly Attack[])[] {
  const groups: Attack[][] = [];
  for (const attack of attacks) {
    const last = groups.at(-1);
    const joins = attack.area === 'messages' && last?.[0]?.area === 'messages';
    if (joins && last.length < AT_ONCE) last.push(attack);
    else groups.push([attack]);
  }
  return groups;
}
