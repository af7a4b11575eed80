import { createHash } from 'node:crypto';
import { invariant } from '@tender/kernel';
import { base58, keyBytes } from './address';
import type { AccountUse, Instruction } from './message';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from './programs';

/** The mint of wrapped SOL: an account of it can be closed whatever strangers send to it. */
export const WRAPPED_SOL = 'So11111111111111111111111111111111111111112';
/** Of a token account. */
export const MARKER_SPACE = 165n;
/** What such an account must hold to exist. Lamports. */
export const MARKER_RENT = 2_039_280n;
/** Of the System program. */
export const ALLOCATE_WITH_SEED = 9;
/** Of the token program. */
export const INITIALIZE_ACCOUNT_3 = 18;
export const CLOSE_ACCOUNT = 9;
/** The most that the chain takes for a seed. */
const SEED_LENGTH = 32;

const read = (address: string): AccountUse => ({ address, signer: false, writable: false });
const written = (address: string): AccountUse => ({ address, signer: false, writable: true });
const signing = (address: string): AccountUse => ({ address, signer: true, writable: false });

/** The marker of one transfer: while it exists, no other transaction of the transfer can land. */
export interface Marker {
  /** The wallet that pays: it must sign for its markers, so no one else can make them. */
  readonly base: string;
  /** 32 hex characters. */
  readonly seed: string;
  readonly address: string;
}

/** One transfer has one marker, whatever is signed for it. */
export function markerOf(wallet: string, transfer_id: string): Marker {
  const seed = sha256(Buffer.from(`tender.marker.v1|${transfer_id}`))
    .toString('hex')
    .slice(0, SEED_LENGTH);
  return { base: wallet, seed, address: addressWithSeed(wallet, seed, TOKEN_PROGRAM) };
}

/** The address that a base and a seed have under a program (`Pubkey::create_with_seed`). */
export function addressWithSeed(base: string, seed: string, program: string): string {
  return base58(sha256(Buffer.concat([key(base), Buffer.from(seed, 'utf8'), key(program)])));
}

/**
 * Makes the marker. It fails where the marker is there: the allocation is refused for an account that the System
 * program no longer owns, and whatever lamports strangers sent to the address before change nothing.
 */
export function makeMarker(marker: Marker, closes_to: string): Instruction[] {
  return [allocateWithSeed(marker), initializeMarker(marker.address, closes_to)];
}

function allocateWithSeed({ base, seed, address }: Marker): Instruction {
  const data = Buffer.concat([
    u32(ALLOCATE_WITH_SEED),
    key(base),
    u64(BigInt(seed.length)),
    Buffer.from(seed, 'utf8'),
    u64(MARKER_SPACE),
    key(TOKEN_PROGRAM),
  ]);
  return { program: SYSTEM_PROGRAM, accounts: [written(address), signing(base)], data };
}

/** The owner is who may close it, and gets its lamports back. */
function initializeMarker(address: string, owner: string): Instruction {
  const data = Buffer.concat([Buffer.of(INITIALIZE_ACCOUNT_3), key(owner)]);
  return { program: TOKEN_PROGRAM, accounts: [written(address), read(WRAPPED_SOL)], data };
}

/** Closes a marker; its lamports go back to its owner. */
export const closeMarker = (address: string, owner: string): Instruction => ({
  program: TOKEN_PROGRAM,
  accounts: [written(address), written(owner), signing(owner)],
  data: Uint8Array.of(CLOSE_ACCOUNT),
});

const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();

function u32(value: number): Buffer {
  const data = Buffer.alloc(4);
  data.writeUInt32LE(value);
  return data;
}

function u64(value: bigint): Buffer {
  const data = Buffer.alloc(8);
  data.writeBigUInt64LE(value);
  return data;
}

function key(address: string): Uint8Array {
  const bytes = keyBytes(address);
  invariant(bytes !== null, 'a marker is made of addresses');
  return bytes;
}
