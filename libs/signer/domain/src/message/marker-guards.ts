import {
  keyBytes,
  makeMarker,
  MARKER_RENT,
  WRAPPED_SOL,
  type Instruction,
} from '@tender/transactions';
import { guard, type Guard } from '../guard';
import { every, names, once, u64, type SeenMessage } from './seen-message';

/** Where the fields of an allocation stand in its data. */
const BASE = [4, 36] as const;
const SEED = [36, 76] as const;
const SPACE = [76, 84] as const;
const OWNER = [84, 116] as const;

const feePayer = ({ message }: SeenMessage): string => message.fee_payer;
const markersAddress = ({ marker }: SeenMessage): string => marker.address;
const wallet = ({ op }: SeenMessage): string => op.wallet;

/** The marker of this operation, and no other, is made at the cost of the fee payer: the transfer can leave once. */
export const MARKER_GUARDS: readonly Guard<SeenMessage>[] = [
  once('allocation', 'marker_missing', 'one marker is made'),
  guard(
    'marker_mismatch',
    'the account that is made is the operation’s marker',
    names('allocation', 0, markersAddress),
  ),
  guard(
    'marker_mismatch',
    'the wallet itself lets the marker be made',
    names('allocation', 1, wallet),
  ),
  guard('marker_mismatch', 'the base of the marker is the wallet', asMade(BASE)),
  guard('marker_mismatch', 'the seed of the marker is of the operation’s id', asMade(SEED)),
  guard('marker_mismatch', 'the marker has the space of a token account', asMade(SPACE)),
  guard('marker_mismatch', 'the marker belongs to the token program', asMade(OWNER)),
  once('initialization', 'marker_missing', 'the marker becomes a token account'),
  guard(
    'marker_mismatch',
    'no other account is initialized',
    names('initialization', 0, markersAddress),
  ),
  guard(
    'marker_mismatch',
    'the marker is an account of wrapped SOL',
    names('initialization', 1, () => WRAPPED_SOL),
  ),
  guard(
    'marker_mismatch',
    'the rent of the marker goes back to the fee payer',
    every('initialization', closesToFeePayer),
  ),
  once('rent', 'marker_missing', 'the rent of the marker is paid'),
  guard(
    'tx_source_mismatch',
    'the fee payer pays the rent of the marker',
    names('rent', 0, feePayer),
  ),
  guard(
    'marker_mismatch',
    'the marker gets its rent and no more',
    every('rent', ({ data }) => u64(data, 4) === MARKER_RENT),
  ),
];

/** This part of the allocation's data is what makes the operation's marker. */
function asMade([from, to]: readonly [number, number]) {
  return every('allocation', ({ data }, seen) => {
    const [wanted] = makeMarker(seen.marker, feePayer(seen)) as [Instruction, Instruction];
    return Buffer.compare(data.subarray(from, to), wanted.data.subarray(from, to)) === 0;
  });
}

function closesToFeePayer({ data }: Instruction, seen: SeenMessage): boolean {
  return Buffer.compare(data.subarray(1), keyBytes(feePayer(seen)) as Uint8Array) === 0;
}
