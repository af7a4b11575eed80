import type { Instruction } from '../message';
import { ASSERT_PROGRAM, computeBudget, SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../programs';
import type { Changes } from './changes';

/** The message with more instructions at its end. */
export const adding = (...more: Instruction[]): Changes => ({
  instructions: (built) => [...built, ...more],
});
/** The message with another compute budget. */
export const budgeted = (unit_limit: number, unit_price: bigint): Changes => ({
  instructions: (built) => [...computeBudget({ unit_limit, unit_price }), ...built.slice(2)],
});
/** An assert about these accounts. */
export const assert = (...accounts: Instruction['accounts']): Instruction =>
  told(ASSERT_PROGRAM, [4, 0], ...accounts);

/** The message with another transfer at its end. */
export const retold = (change: (transfer: Instruction) => Instruction): Changes => ({
  instructions: (built) => [...built.slice(0, -1), change(built.at(-1) as Instruction)],
});
/** An instruction of any program. */
export const told = (
  program: string,
  data: readonly number[],
  ...accounts: Instruction['accounts']
): Instruction => ({
  program,
  data: Uint8Array.from(data),
  accounts,
});
/** A number as programs read it. */
export const u32 = (value: number): number[] => [
  value & 255,
  (value >> 8) & 255,
  (value >> 16) & 255,
  value >>> 24,
];
/** Of the system program. */
export const system = (kind: number, ...accounts: Instruction['accounts']) =>
  told(SYSTEM_PROGRAM, [...u32(kind), 0, 0], ...accounts);
/** Of the token program. */
export const token = (data: readonly number[], ...accounts: Instruction['accounts']) =>
  told(TOKEN_PROGRAM, data, ...accounts);
/** The instruction with another account at that place. */
export const withAccount = (
  one: Instruction,
  at: number,
  account: Instruction['accounts'][number],
): Instruction => ({
  ...one,
  accounts: one.accounts.map((before, index) => (index === at ? account : before)),
});
