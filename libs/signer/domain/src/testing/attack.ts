import type { Operation, SignerCode } from '@tender/threshold';
import { readMessage, type Instruction } from '@tender/transactions';
import type { Rules } from '../rules';

/** Whose money an attack is after, and who takes part in it. */
export interface Target {
  /** What is asked for; the messages that are tampered with are honest ones of it. */
  readonly op: Operation;
  readonly rules: Rules;
  readonly fee_payer: string;
  /** Addresses that the signers have nothing to do with. */
  readonly attacker: string;
}

/** What a treasury that was taken over makes of an honest message, and what a signer has to say to it. */
export interface MessageAttack {
  readonly code: SignerCode;
  readonly name: string;
  readonly tampered: (message: Uint8Array) => Uint8Array;
}

export type MessageAttackRow = readonly [SignerCode, string, MessageAttack['tampered']];

/** The instructions of an honest message, by what they are for. */
export const PLACES = {
  ...{ limit: 0, price: 1, rent: 2, allocation: 3, initialization: 4 },
  ...{ creation: 5, money: -1 },
} as const;
export type Place = keyof typeof PLACES;

/** Where in a message an instruction is for that. */
export const placed = (built: readonly Instruction[], place: Place): Instruction =>
  built.at(PLACES[place]) as Instruction;

/** Of a message: who pays its fee. */
export const feePayerOf = (message: Uint8Array): string => readMessage(message).fee_payer;
