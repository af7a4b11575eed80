import bs58 from 'bs58';
import {
  ASSOCIATED_TOKEN_PROGRAM, isTokenProgram, MEMO_PROGRAMS, SYSTEM_PROGRAM, TOKEN_PROGRAM, uiAmount,
} from '../wire/token-layout';

export interface PlainInstruction {
  readonly program: string;
  readonly accounts: readonly string[];
  readonly data: Buffer;
  readonly stackHeight: number;
}

export type DecimalsOf = (mint: string) => number;

/**
 * An instruction in the form of `jsonParsed`, for the kinds a wallet shows; any other one is given
 * raw, as a node does for programs that it does not know. Services should decode by themselves.
 */
export function parseInstruction(instruction: PlainInstruction, decimals: DecimalsOf): unknown {
  const { program, accounts, data, stackHeight } = instruction;
  try {
    const parsed = parse(instruction, decimals);
    if (parsed) return { ...parsed, programId: program, stackHeight };
  } catch {
    // Data that is too short for its own discriminator: shown raw.
  }
  return { programId: program, accounts, data: bs58.encode(data), stackHeight };
}

function parse(instruction: PlainInstruction, decimals: DecimalsOf): object | null {
  const { program, data } = instruction;
  if (MEMO_PROGRAMS.includes(program)) return { program: 'spl-memo', parsed: data.toString() };
  if (program === SYSTEM_PROGRAM) return parseSystem(instruction);
  if (program === ASSOCIATED_TOKEN_PROGRAM) return parseAssociatedToken(instruction);
  return isTokenProgram(program) ? parseToken(instruction, decimals) : null;
}

function parseSystem({ accounts, data }: PlainInstruction): object | null {
  const [source, destination] = accounts;
  if (data.readUInt32LE(0) !== 2) return null;
  const info = { source, destination, lamports: Number(data.readBigUInt64LE(4)) };
  return { program: 'system', parsed: { type: 'transfer', info } };
}

function parseAssociatedToken({ accounts, data }: PlainInstruction): object {
  const [source, account, wallet, mint, systemProgram, tokenProgram] = accounts;
  const info = { source, account, wallet, mint, systemProgram, tokenProgram };
  const type = data[0] === 1 ? 'createIdempotent' : 'create';
  return { program: 'spl-associated-token-account', parsed: { type, info } };
}

function parseToken(instruction: PlainInstruction, decimals: DecimalsOf): object | null {
  const { accounts, data } = instruction;
  const [first, second, third, fourth] = accounts;
  const program = instruction.program === TOKEN_PROGRAM ? 'spl-token' : 'spl-token-2022';
  const amount = () => data.readBigUInt64LE(1);
  switch (data[0]) {
    case 3: {
      const info = { source: first, destination: second, authority: third };
      return { program, parsed: { type: 'transfer', info: { ...info, amount: `${amount()}` } } };
    }
    case 7: {
      const info = { mint: first, account: second, mintAuthority: third, amount: `${amount()}` };
      return { program, parsed: { type: 'mintTo', info } };
    }
    case 9: {
      const info = { account: first, destination: second, owner: third };
      return { program, parsed: { type: 'closeAccount', info } };
    }
    case 12: {
      const tokenAmount = uiAmount(amount(), data[9] ?? decimals(second ?? ''));
      const info = { source: first, mint: second, destination: third, authority: fourth };
      return { program, parsed: { type: 'transferChecked', info: { ...info, tokenAmount } } };
    }
    default:
      return null;
  }
}
