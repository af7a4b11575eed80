import type { Operation, SignerCode } from '@tender/threshold';
import {
  associatedTokenAccount,
  markerOf,
  type Instruction,
  type Marker,
  type Message,
} from '@tender/transactions';
import { guard, type Guard } from '../guard';
import { mintOf, type Rules } from '../rules';
import { kindOf, type InstructionKind } from './instruction-kinds';

/** A message as it was read, beside what its operation allows. */
export interface SeenMessage {
  readonly message: Message;
  readonly op: Operation;
  readonly rules: Rules;
  /** The one that the operation must make. */
  readonly marker: Marker;
  /** Null: SOL. */
  readonly mint: string | null;
  /** The account that pays and the one that is paid: of tokens, the associated ones. */
  readonly source: string;
  readonly destination: string;
  readonly kinds: readonly (InstructionKind | null)[];
  of(kind: InstructionKind): readonly Instruction[];
}

export function seenMessage(message: Message, op: Operation, rules: Rules): SeenMessage {
  const marker = markerOf(op.wallet, op.id);
  const mint = mintOf(rules, op.asset);
  const accountOf = (owner: string): string =>
    mint === null ? owner : associatedTokenAccount(owner, mint);
  const kinds = message.instructions.map((one) => kindOf(one, marker.address));
  return {
    ...{ message, op, rules, marker, mint, kinds },
    ...{ source: accountOf(op.wallet), destination: accountOf(op.to) },
    of: (kind) => message.instructions.filter((_, index) => kinds[index] === kind),
  };
}

/** There is exactly one instruction of that kind. */
export const once = (kind: InstructionKind, code: SignerCode, says: string): Guard<SeenMessage> =>
  guard(code, says, (seen) => seen.of(kind).length === 1);

/** Every instruction of that kind has that account at that place. */
export const names = (
  kind: InstructionKind,
  place: number,
  wanted: (seen: SeenMessage) => string | null,
): Holds => every(kind, ({ accounts }, seen) => accounts[place]?.address === wanted(seen));

/** It holds of every instruction of that kind; that there is one is another matter. */
export const every =
  (kind: InstructionKind, holds: (one: Instruction, seen: SeenMessage) => boolean): Holds =>
  (seen) =>
    seen.of(kind).every((one) => holds(one, seen));

type Holds = Guard<SeenMessage>['holds'];

/** The little-endian number of 64 bits that stands there. */
export const u64 = (data: Uint8Array, from: number): bigint =>
  data.subarray(from, from + 8).reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n);
