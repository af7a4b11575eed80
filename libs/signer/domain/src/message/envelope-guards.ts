import { compileMessage, messageOf, type Message } from '@tender/transactions';
import { guard, type Guard } from '../guard';
import { formOf, isKnownProgram, rankOf, type InstructionKind } from './instruction-kinds';
import type { SeenMessage } from './seen-message';

const VERSIONED = 0x80;

/** Bytes that claim to be a message. */
export interface ReadBytes {
  readonly bytes: Uint8Array;
  /** Null: the chain would not read them. */
  readonly message: Message | null;
}

export const readBytes = (bytes: Uint8Array): ReadBytes => ({ bytes, message: messageOf(bytes) });

/** The bytes can be read in one way only, which is the one that every other guard sees. */
export const FORM_GUARDS: readonly Guard<ReadBytes>[] = [
  guard('tx_lookup_table_forbidden', 'no account comes from a look-up table', ({ message }) => {
    return (message?.lookup_tables ?? []).length === 0;
  }),
  guard('tx_version_unsupported', 'the message is of the legacy version', ({ bytes }) => {
    return (bytes[0] ?? 0) < VERSIONED;
  }),
  guard(
    'tx_not_canonical',
    'the chain reads the bytes to their end',
    ({ message }) => message !== null,
  ),
  guard(
    'tx_not_canonical',
    'the message compiled again is the same bytes',
    ({ bytes, message }) => {
      return Buffer.compare(compileMessage(message as Message), bytes) === 0;
    },
  ),
];

/** Who signs, and what is there at all: whatever no transfer needs is refused unseen. */
export const ENVELOPE_GUARDS: readonly Guard<SeenMessage>[] = [
  guard('tx_wallet_pays_fee', 'the wallet does not pay the fee', ({ message, op }) => {
    return message.fee_payer !== op.wallet;
  }),
  guard('tx_wallet_not_signer', 'the wallet signs', ({ message, op }) => {
    return message.signers.includes(op.wallet);
  }),
  guard('tx_foreign_authority', 'two sign: the fee payer and the wallet', ({ message }) => {
    return message.signers.length === 2;
  }),
  guard('tx_program_forbidden', 'only programs of a transfer are called', ({ message }) => {
    return message.instructions.every(({ program }) => isKnownProgram(program));
  }),
  guard('tx_instruction_forbidden', 'only instructions of a transfer are given', (seen) => {
    return seen.message.instructions.every(
      ({ program }, index) => !isKnownProgram(program) || seen.kinds[index] !== null,
    );
  }),
  guard('tx_not_canonical', 'no data is longer or shorter than its kind', (seen) => {
    return known(seen).every(({ data, kind }) => data.length === formOf(kind).data_bytes);
  }),
  guard('tx_not_canonical', 'no instruction has more or fewer accounts than its kind', (seen) => {
    return known(seen).every(({ accounts, kind }) => accounts.length === formOf(kind).accounts);
  }),
];

/** One operation has one form: it comes last, for what is also wrong in another way has a better name. */
export const ARRANGEMENT_GUARDS: readonly Guard<SeenMessage>[] = [
  guard('tx_not_canonical', 'instructions stand in the order of a transfer', (seen) => {
    const ranks = known(seen).map(({ kind }) => rankOf(kind));
    return ranks.every((rank, index) => index === 0 || (ranks[index - 1] as number) <= rank);
  }),
  guard('tx_not_canonical', 'only what instructions write is marked as written', (seen) => {
    const written = writtenBy(seen);
    return seen.message.accounts.every((one) => one.writable === written.has(one.address));
  }),
];

const known = ({ message, kinds }: SeenMessage) =>
  message.instructions.flatMap((instruction, index) => {
    const kind: InstructionKind | null = kinds[index] ?? null;
    return kind === null ? [] : [{ ...instruction, kind }];
  });

function writtenBy(seen: SeenMessage): ReadonlySet<string | null | undefined> {
  const written = known(seen).flatMap(({ accounts, kind }) =>
    formOf(kind).writes.map((place) => accounts[place]?.address),
  );
  return new Set([seen.message.fee_payer, ...written]);
}
