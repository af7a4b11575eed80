import type { AccountUse, Instruction, Message } from './message';
import { ASSERT_PROGRAM, COMPUTE_BUDGET_PROGRAM, TOKEN_ACCOUNT_PROGRAM } from './programs';

export type InstructionFault = 'instruction_set_changed' | 'instruction_changed';

interface Parties {
  readonly customer: string;
  readonly sponsor: string | null;
}

/**
 * How the instructions that have an effect differ from those that were built; null: not at all.
 * `instruction_set_changed`: one calls a program that the template does not, or uses the sponsor, or is missing.
 * `instruction_changed`: the same programs, told something else.
 */
export function faultOfInstructions(
  signed: Message,
  built: Message,
  { customer, sponsor }: Parties,
): InstructionFault | null {
  const wanted = effectsOf(built);
  const found = effectsOf(signed);
  const same = (one: Instruction, other: Instruction | undefined): boolean =>
    other !== undefined && sameInstruction(one, other, customer);
  if (found.length === wanted.length && found.every((one, index) => same(one, wanted[index]))) {
    return hasStrayKeys(signed, built) ? 'instruction_set_changed' : null;
  }
  const known = new Set([...wanted.map(({ program }) => program), TOKEN_ACCOUNT_PROGRAM]);
  const added = found.filter((one) => !wanted.some((other) => same(one, other)));
  const isOfAnotherKind = (one: Instruction): boolean =>
    !known.has(one.program) || (one.program !== TOKEN_ACCOUNT_PROGRAM && uses(one, sponsor));
  const changed = found.length >= wanted.length && !added.some(isOfAnotherKind);
  return changed ? 'instruction_changed' : 'instruction_set_changed';
}

/** All but what wallets may add, which has bounds of its own. */
const effectsOf = ({ instructions }: Message): Instruction[] =>
  instructions.filter(
    ({ program }) => program !== ASSERT_PROGRAM && program !== COMPUTE_BUDGET_PROGRAM,
  );

const uses = ({ accounts }: Instruction, address: string | null): boolean =>
  accounts.some((account) => account.address === address);

function sameInstruction(one: Instruction, other: Instruction, customer: string): boolean {
  const sameUse = (use: AccountUse, index: number): boolean => {
    const wanted = other.accounts[index] as AccountUse;
    // A wallet's assert may say that the customer's own account is written: its owner has signed that.
    const writable = use.writable === wanted.writable || use.address === customer;
    return use.address === wanted.address && use.signer === wanted.signer && writable;
  };
  return (
    one.program === other.program &&
    Buffer.compare(one.data, other.data) === 0 &&
    one.accounts.length === other.accounts.length &&
    one.accounts.every(sameUse)
  );
}

/** Keys that no instruction needs lock accounts of others while the transaction runs. */
function hasStrayKeys(signed: Message, built: Message): boolean {
  const needed = new Set(built.accounts.map(({ address }) => address));
  for (const { program, accounts } of signed.instructions) {
    needed.add(program);
    for (const { address } of accounts) if (address !== null) needed.add(address);
  }
  return signed.accounts.some(({ address }) => !needed.has(address));
}
