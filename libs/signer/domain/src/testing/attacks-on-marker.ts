import {
  keyBytes,
  makeMarker,
  MARKER_RENT,
  markerOf,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
  transferSol,
} from '@tender/transactions';
import { feePayerOf, type MessageAttackRow, type Target } from './attack';
import { both, changing, renamed, twice, u64Bytes, without, written } from './tampering';

const key = (address: string): Uint8Array => keyBytes(address) as Uint8Array;

/** Without its own marker a transfer could leave twice, or never. */
export function attacksOnMarker({ op, fee_payer, attacker }: Target): readonly MessageAttackRow[] {
  const { wallet } = op;
  const another = (message: Uint8Array): Uint8Array => {
    const marker = markerOf(wallet, `${op.id}-again`);
    const payer = feePayerOf(message);
    const made = [transferSol(payer, marker.address, MARKER_RENT), ...makeMarker(marker, payer)];
    const instead = changing({
      instructions: (built) => [...built.slice(0, 2), ...made, ...built.slice(5)],
    });
    return instead(message);
  };
  return [
    [
      'marker_missing',
      'no marker at all',
      both(without('rent'), without('allocation'), without('initialization')),
    ],
    ['marker_missing', 'no account for the marker', without('allocation')],
    ['marker_missing', 'the marker made twice', twice('allocation')],
    ['marker_mismatch', 'the marker of another operation', another],
    [
      'marker_mismatch',
      'another account in place of the marker',
      renamed('allocation', 0, attacker),
    ],
    [
      'marker_mismatch',
      'the fee payer lets the marker be made',
      renamed('allocation', 1, fee_payer),
    ],
    ['marker_mismatch', 'another base', written('allocation', 4, key(attacker))],
    ['marker_mismatch', 'another seed', written('allocation', 44, [0x7a])],
    ['marker_mismatch', 'a seed of another length', written('allocation', 36, u64Bytes(31n))],
    ['marker_mismatch', 'no space', written('allocation', 76, u64Bytes(0n))],
    [
      'marker_mismatch',
      'an account of the System program',
      written('allocation', 84, key(SYSTEM_PROGRAM)),
    ],
    ['marker_missing', 'a marker that is no token account', without('initialization')],
    ['marker_missing', 'a marker that becomes a token account twice', twice('initialization')],
    [
      'marker_mismatch',
      'another account becomes a token account',
      renamed('initialization', 0, attacker),
    ],
    ['marker_mismatch', 'a marker of another mint', renamed('initialization', 1, attacker)],
    [
      'marker_mismatch',
      'a marker that the attacker may close',
      written('initialization', 1, key(attacker)),
    ],
    ['marker_missing', 'no rent for the marker', without('rent')],
    ['marker_missing', 'the rent of the marker twice', twice('rent')],
    ['tx_source_mismatch', 'the wallet pays the rent of the marker', renamed('rent', 0, wallet)],
    ['marker_mismatch', 'more than the rent', written('rent', 4, u64Bytes(MARKER_RENT + 1n))],
    ['marker_mismatch', 'the token program as mint', renamed('initialization', 1, TOKEN_PROGRAM)],
    ['marker_missing', 'the rent goes to the attacker', renamed('rent', 1, attacker)],
  ];
}
