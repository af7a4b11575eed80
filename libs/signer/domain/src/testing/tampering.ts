import type { AccountUse, Instruction } from '@tender/transactions';
import { adding, changedMessage, type Changes } from '@tender/transactions/testing';
import { placed, type Place } from './attack';

type Tampered = (message: Uint8Array) => Uint8Array;

/** The message with changes, compiled anew: in the one form of what it now says. */
export const changing =
  (changes: Changes): Tampered =>
  (message) =>
    changedMessage(message, changes);

export const withInstructions = (
  change: (built: readonly Instruction[]) => readonly Instruction[],
): Tampered => changing({ instructions: change });

/** The message with more instructions at its end. */
export const added = (...more: Instruction[]): Tampered => changing(adding(...more));

/** The message with others in place of one instruction. */
export const replaced = (
  place: Place,
  by: (one: Instruction) => readonly Instruction[],
): Tampered =>
  withInstructions((built) => {
    const meant = placed(built, place);
    return built.flatMap((one) => (one === meant ? by(one) : [one]));
  });

export const without = (place: Place): Tampered => replaced(place, () => []);
export const twice = (place: Place): Tampered => replaced(place, (one) => [one, one]);

/** The message with another account at one place of one instruction. */
export const renamed = (place: Place, at: number, address: string): Tampered =>
  replaced(place, (one) => {
    const rename = (use: AccountUse, index: number) => (index === at ? { ...use, address } : use);
    return [{ ...one, accounts: one.accounts.map(rename) }];
  });

/** The message with one more account of one instruction. */
export const joined = (place: Place, account: AccountUse): Tampered =>
  replaced(place, (one) => [{ ...one, accounts: [...one.accounts, account] }]);

/** The message with other rights of some account, wherever it stands. */
export const entitled = (address: string, rights: Partial<AccountUse>): Tampered =>
  withInstructions((built) => {
    const entitle = (use: AccountUse) => (use.address === address ? { ...use, ...rights } : use);
    return built.map((one) => ({ ...one, accounts: one.accounts.map(entitle) }));
  });

/** The message with other bytes in the data of one instruction. */
export const written = (place: Place, at: number, bytes: Iterable<number>): Tampered =>
  replaced(place, (one) => {
    const data = Uint8Array.from(one.data);
    data.set([...bytes], at);
    return [{ ...one, data }];
  });

/** The message with more bytes behind the data of one instruction. */
export const lengthened = (place: Place, ...bytes: number[]): Tampered =>
  replaced(place, (one) => [{ ...one, data: Uint8Array.from([...one.data, ...bytes]) }]);

/** One change after the other. */
export const both =
  (...changes: readonly Tampered[]): Tampered =>
  (message) =>
    changes.reduce((before, change) => change(before), message);

/** A number of 64 bits as programs read it. */
export const u64Bytes = (value: bigint): number[] => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return [...bytes];
};
