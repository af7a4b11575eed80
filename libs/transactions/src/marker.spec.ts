import { randomBytes } from 'node:crypto';
import { PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js';
import {
  createCloseAccountInstruction,
  createInitializeAccount3Instruction,
  NATIVE_MINT,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token';
import { base58 } from './address';
import type { Instruction } from './message';
import { closeMarker, makeMarker, MARKER_SPACE, markerOf } from './marker';

const address = (): string => base58(randomBytes(32));

const addresses = (one: Instruction | undefined) => one?.accounts.map((use) => use.address);
const keysOf = ({ keys }: TransactionInstruction) => keys.map(({ pubkey }) => pubkey.toBase58());

test('a marker has the address and the instructions that Solana’s own library gives it', async () => {
  const [wallet, fee_payer] = [address(), address()];
  const marker = markerOf(wallet, 'refund-1');
  const base = new PublicKey(wallet);
  const known = await PublicKey.createWithSeed(base, marker.seed, TOKEN_PROGRAM_ID);
  expect(marker.address).toBe(known.toBase58());
  const [allocate, initialize] = makeMarker(marker, fee_payer);
  const theirs = SystemProgram.allocate({
    ...{ accountPubkey: known, basePubkey: base, seed: marker.seed },
    ...{ space: Number(MARKER_SPACE), programId: TOKEN_PROGRAM_ID },
  });
  expect(Buffer.from(allocate?.data ?? [])).toEqual(theirs.data);
  expect(addresses(allocate)).toEqual(keysOf(theirs));
  const owner = new PublicKey(fee_payer);
  const init = createInitializeAccount3Instruction(known, NATIVE_MINT, owner);
  expect(Buffer.from(initialize?.data ?? [])).toEqual(init.data);
  expect(addresses(initialize)).toEqual(keysOf(init));
  const close = createCloseAccountInstruction(known, owner, owner);
  expect(Buffer.from(closeMarker(marker.address, fee_payer).data)).toEqual(close.data);
});

test('each transfer of each wallet has a marker of its own, always the same one', () => {
  const wallets = [address(), address()];
  const markers = wallets.flatMap((wallet) => [markerOf(wallet, 'a'), markerOf(wallet, 'b')]);
  expect(new Set(markers.map((one) => one.address)).size).toBe(4);
  expect(markerOf(wallets[0] as string, 'a')).toEqual(markers[0]);
});
