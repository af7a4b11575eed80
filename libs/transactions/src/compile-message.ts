import { invariant } from '@tender/kernel';
import { keyBytes } from './address';
import { lengthBytes } from './byte-reader';
import type { Instruction } from './message';

/** What a message is to do, before it is bytes. Data: it can be kept, sent and compared. */
export interface MessagePlan {
  readonly fee_payer: string;
  readonly recent_blockhash: string;
  /** In the order in which they run. */
  readonly instructions: readonly Instruction[];
}

interface Rights {
  signer: boolean;
  writable: boolean;
}

/** The bytes of a legacy message: every wallet can read it, and one plan has one form. */
export function compileMessage(plan: MessagePlan): Uint8Array {
  const rights = rightsOfKeys(plan);
  const rank = ([, { signer, writable }]: [string, Rights]): number =>
    (signer ? 0 : 2) + (writable ? 0 : 1);
  // The fee payer came first and is a signer that is written: a stable order keeps it first.
  const ordered = [...rights].sort((one, other) => rank(one) - rank(other));
  const places = new Map(ordered.map(([address], index) => [address, index]));
  const count = (wanted: number): number => ordered.filter((key) => rank(key) === wanted).length;
  return Uint8Array.from([
    ...[count(0) + count(1), count(1), count(3)],
    ...lengthBytes(ordered.length),
    ...ordered.flatMap(([address]) => [...known(address)]),
    ...known(plan.recent_blockhash),
    ...lengthBytes(plan.instructions.length),
    ...plan.instructions.flatMap((instruction) => compiled(instruction, places)),
  ]);
}

function rightsOfKeys({ fee_payer, instructions }: MessagePlan): Map<string, Rights> {
  const rights = new Map<string, Rights>([[fee_payer, { signer: true, writable: true }]]);
  for (const { accounts, program } of instructions) {
    for (const { address, signer, writable } of accounts) {
      invariant(address !== null, 'what is built here takes nothing from look-up tables');
      const before = rights.get(address);
      rights.set(address, {
        signer: signer || before?.signer === true,
        writable: writable || before?.writable === true,
      });
    }
    if (!rights.has(program)) rights.set(program, { signer: false, writable: false });
  }
  return rights;
}

function compiled(
  { program, accounts, data }: Instruction,
  places: ReadonlyMap<string, number>,
): number[] {
  const place = (address: string): number => places.get(address) as number;
  return [
    place(program),
    ...lengthBytes(accounts.length),
    ...accounts.map(({ address }) => place(address as string)),
    ...lengthBytes(data.length),
    ...data,
  ];
}

function known(address: string): Uint8Array {
  const bytes = keyBytes(address);
  invariant(bytes !== null, 'a message is built of addresses');
  return bytes;
}
