import { compileMessage } from '../compile-message';
import { readMessage, type AccountUse, type Instruction } from '../message';

/** What a wallet makes of a message before it is signed. */
export interface Changes {
  readonly instructions?: (built: readonly Instruction[]) => readonly Instruction[];
  readonly fee_payer?: string;
  readonly recent_blockhash?: string;
}

/** A message with changes, compiled anew. */
export function changedMessage(message: Uint8Array, changes: Changes): Uint8Array {
  const { fee_payer, recent_blockhash, instructions } = readMessage(message);
  const plan = { fee_payer, recent_blockhash, ...changes };
  return compileMessage({
    ...plan,
    instructions: changes.instructions?.(instructions) ?? instructions,
  });
}

/** Accounts in short: `w` is written, `s` signs. */
export const use = (address: string, rights = ''): AccountUse => ({
  address,
  signer: rights.includes('s'),
  writable: rights.includes('w'),
});
