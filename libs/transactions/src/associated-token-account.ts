import { createHash } from 'node:crypto';
import { invariant } from '@tender/kernel';
import { base58, keyBytes } from './address';
import { canSign } from './on-curve';
import { TOKEN_ACCOUNT_PROGRAM, TOKEN_PROGRAM } from './programs';

/** What the chain hashes behind the seeds of an address that no key can sign for. */
const DERIVED = Buffer.from('ProgramDerivedAddress');
const HIGHEST_BUMP = 255;

/** To find one costs a millisecond, and the same ones are asked for again soon. */
const KNOWN_MAX = 1_000;
const known = new Map<string, string>();

/** Where a wallet receives a classic token. Owners that are on no curve, such as programs', have such accounts too. */
export function associatedTokenAccount(owner: string, mint: string): string {
  const of = `${owner} ${mint}`;
  const account = known.get(of) ?? derived(owner, mint);
  if (known.size >= KNOWN_MAX) known.clear();
  known.set(of, account);
  return account;
}

function derived(owner: string, mint: string): string {
  const seeds = [owner, TOKEN_PROGRAM, mint].map(key);
  const program = key(TOKEN_ACCOUNT_PROGRAM);
  for (let bump = HIGHEST_BUMP; bump >= 0; bump -= 1) {
    const hash = createHash('sha256');
    for (const part of [...seeds, Uint8Array.of(bump), program, DERIVED]) hash.update(part);
    const address = base58(hash.digest());
    if (!canSign(address)) return address;
  }
  // Each bump finds one in half of all cases.
  invariant(false, 'one of 256 addresses is on no curve');
}

function key(address: string): Uint8Array {
  const bytes = keyBytes(address);
  invariant(bytes !== null, 'a token account is derived from addresses');
  return bytes;
}
