import type { HostedRole } from '@tender/threshold';
import type { Target } from './stage/target';

export const AREAS = [
  ...(['messages', 'operations', 'evidence', 'limits', 'sessions', 'freeze', 'passkeys'] as const),
  ...(['transport', 'ceremonies', 'storage', 'crashes'] as const),
];
export type Area = (typeof AREAS)[number];

/** What each signer that was asked has answered, in a word. */
export type Told = Readonly<Partial<Record<HostedRole, string>>>;

/** Something that an attacker does who has all of treasury, and the network. */
export interface Attack {
  readonly area: Area;
  readonly name: string;
  /** What every signer must say to it: the code of a refusal, or what else keeps the money where it is. */
  readonly expects: string;
  run(target: Target): Promise<Told>;
}

/** Whether all who were asked have refused as they must. */
export const isRefused = ({ expects }: Attack, told: Told): boolean => {
  const words = Object.values(told);
  return words.length > 0 && words.every((word) => word === expects);
};

/** Attacks of one area, as rows. */
export type Row = readonly [expects: string, name: string, run: Attack['run']];
export const ofArea = (area: Area, ...rows: readonly Row[]): readonly Attack[] =>
  rows.map(([expects, name, run]) => ({ area, expects, name, run }));

/** The same at both signers at once: for what neither of them may find in the way of the other. */
export async function atBoth(word: (role: HostedRole) => Promise<string>): Promise<Told> {
  const [A, B] = await Promise.all([word('A'), word('B')]);
  return { A, B };
}

/** The same at each signer by itself, one after the other. */
export async function atEach(word: (role: HostedRole) => Promise<string>): Promise<Told> {
  return { A: await word('A'), B: await word('B') };
}
