import { base58, KEY_BYTES } from './address';
import { ByteReader, Malformed } from './byte-reader';

/** An account as an instruction uses it; the rights are those that the whole message gives it. */
export interface AccountUse {
  /** Null: the message takes it from a look-up table, so only the chain knows it. */
  readonly address: string | null;
  readonly signer: boolean;
  readonly writable: boolean;
}

export interface Instruction {
  readonly program: string;
  readonly accounts: readonly AccountUse[];
  readonly data: Uint8Array;
}

/** What signers sign, read from its bytes. */
export interface Message {
  readonly version: 'legacy' | 0;
  /** The first signer. */
  readonly fee_payer: string;
  /** In the order of their signatures. */
  readonly signers: readonly string[];
  /** All keys that are written out, used or not. */
  readonly accounts: readonly (AccountUse & { readonly address: string })[];
  readonly recent_blockhash: string;
  readonly instructions: readonly Instruction[];
  readonly lookup_tables: readonly string[];
}

const VERSIONED = 0x80;

interface Header {
  readonly signers: number;
  readonly readonly_signers: number;
  readonly readonly_others: number;
}
interface Compiled {
  readonly program: number;
  readonly accounts: readonly number[];
  readonly data: Uint8Array;
}

/** Throws `Malformed` where the bytes are no message that the chain would read. */
export function readMessage(bytes: Uint8Array): Message {
  const version = versionOf(bytes);
  const reader = new ByteReader(version === 0 ? bytes.subarray(1) : bytes);
  const header = {
    signers: reader.byte(),
    readonly_signers: reader.byte(),
    readonly_others: reader.byte(),
  };
  const keys = reader.list(() => base58(reader.take(KEY_BYTES)));
  checkHeader(header, keys);
  const accounts = keys.map((address, index) => ({
    address,
    ...rightsOf(index, header, keys.length),
  }));
  const recent_blockhash = base58(reader.take(KEY_BYTES));
  const compiled = reader.list(() => readInstruction(reader));
  const tables = version === 0 ? reader.list(() => readTable(reader)) : [];
  reader.end();
  const uses: AccountUse[] = [...accounts, ...lookedUp(tables)];
  return {
    version,
    fee_payer: keys[0] as string,
    signers: keys.slice(0, header.signers),
    accounts,
    recent_blockhash,
    instructions: compiled.map((instruction) => resolved(instruction, keys, uses)),
    lookup_tables: tables.map(({ table }) => table),
  };
}

/** The message of untrusted bytes; null where the chain would read none. */
export function messageOf(bytes: Uint8Array): Message | null {
  try {
    return readMessage(bytes);
  } catch (error) {
    if (error instanceof Malformed) return null;
    throw error;
  }
}

function versionOf(bytes: Uint8Array): Message['version'] {
  const first = bytes[0] ?? 0;
  if (first < VERSIONED) return 'legacy';
  if (first === VERSIONED) return 0;
  throw new Malformed('its version is unknown');
}

function checkHeader(header: Header, keys: readonly string[]): void {
  const { signers, readonly_signers, readonly_others } = header;
  if (readonly_signers >= signers) throw new Malformed('no signer pays its fee');
  if (signers + readonly_others > keys.length)
    throw new Malformed('its header names more keys than it has');
  if (new Set(keys).size !== keys.length) throw new Malformed('it lists one key twice');
}

/** Keys are ordered: signers that are written, that are read, others that are written, that are read. */
function rightsOf(
  index: number,
  header: Header,
  keys: number,
): Pick<AccountUse, 'signer' | 'writable'> {
  const signer = index < header.signers;
  const writable = signer
    ? index < header.signers - header.readonly_signers
    : index < keys - header.readonly_others;
  return { signer, writable };
}

function readInstruction(reader: ByteReader): Compiled {
  const program = reader.byte();
  const accounts = [...reader.take(reader.length())];
  return { program, accounts, data: reader.take(reader.length()) };
}

function readTable(reader: ByteReader) {
  const table = base58(reader.take(KEY_BYTES));
  const writable = reader.length();
  reader.take(writable);
  const readable = reader.length();
  reader.take(readable);
  if (writable + readable === 0) throw new Malformed('it takes nothing from a look-up table');
  return { table, writable, readable };
}

/** Looked-up accounts come after the keys: those that are written first, of all tables. */
function lookedUp(tables: readonly { writable: number; readable: number }[]): AccountUse[] {
  const uses = (count: number, writable: boolean): AccountUse[] =>
    Array.from({ length: count }, () => ({ address: null, signer: false, writable }));
  const written = tables.reduce((sum, table) => sum + table.writable, 0);
  const read = tables.reduce((sum, table) => sum + table.readable, 0);
  return [...uses(written, true), ...uses(read, false)];
}

function resolved(
  compiled: Compiled,
  keys: readonly string[],
  uses: readonly AccountUse[],
): Instruction {
  const program = keys[compiled.program];
  if (program === undefined || compiled.program === 0) throw new Malformed('it calls no program');
  const accounts = compiled.accounts.map((index) => {
    const use = uses[index];
    if (use === undefined) throw new Malformed('an instruction uses an account that is not there');
    return use;
  });
  return { program, accounts, data: compiled.data };
}
