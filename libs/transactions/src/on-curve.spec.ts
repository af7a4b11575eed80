import { createHash } from 'node:crypto';
import { PublicKey } from '@solana/web3.js';
import { canSign } from './on-curve';
import { freshTestWallet } from './testing';

test('an address is on the curve where Solana’s own library says so', () => {
  const addresses = Array.from({ length: 200 }, (_, index) =>
    new PublicKey(createHash('sha256').update(`${index}`).digest()).toBase58(),
  );
  const on_curve = addresses.filter(canSign);
  expect(on_curve).toEqual(addresses.filter((address) => PublicKey.isOnCurve(address)));
  expect(on_curve.length).toBeGreaterThan(50);
  expect(on_curve.length).toBeLessThan(150);
});

test('a wallet can sign; an account that a program derives cannot, nor what is no address', () => {
  expect(canSign(freshTestWallet().address)).toBe(true);
  const program = new PublicKey('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL');
  const [derived] = PublicKey.findProgramAddressSync([Buffer.from('vault')], program);
  expect(canSign(derived.toBase58())).toBe(false);
  expect(canSign('nobody')).toBe(false);
});
