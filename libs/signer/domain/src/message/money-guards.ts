import { TOKEN_DECIMALS } from '@tender/kernel';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '@tender/transactions';
import { guard, type Guard } from '../guard';
import { every, names, u64, type SeenMessage } from './seen-message';

const feePayer = ({ message }: SeenMessage): string => message.fee_payer;
const wallet = ({ op }: SeenMessage): string => op.wallet;
const receiver = ({ op }: SeenMessage): string => op.to;
const mint = (seen: SeenMessage): string | null => seen.mint;
const source = (seen: SeenMessage): string => seen.source;
const destination = (seen: SeenMessage): string => seen.destination;

/** The account of the receiver may be made, at the cost of the fee payer. */
const CREATION_GUARDS: readonly Guard<SeenMessage>[] = [
  guard(
    'tx_not_canonical',
    'at most one account is made for the receiver',
    (seen) => seen.of('creation').length <= 1,
  ),
  guard(
    'tx_source_mismatch',
    'the fee payer pays for the receiver’s account',
    names('creation', 0, feePayer),
  ),
  guard(
    'tx_destination_mismatch',
    'the account that is made is the receiver’s',
    names('creation', 1, destination),
  ),
  guard(
    'tx_destination_mismatch',
    'the receiver owns the account that is made',
    names('creation', 2, receiver),
  ),
  guard('tx_mint_mismatch', 'the account that is made holds the asset', names('creation', 3, mint)),
  guard(
    'tx_not_canonical',
    'the account is made by the System program',
    names('creation', 4, () => SYSTEM_PROGRAM),
  ),
  guard(
    'tx_not_canonical',
    'the account is one of classic tokens',
    names('creation', 5, () => TOKEN_PROGRAM),
  ),
];

const TOKEN_GUARDS: readonly Guard<SeenMessage>[] = [
  guard(
    'tx_source_mismatch',
    'tokens leave the wallet’s own account',
    names('token_transfer', 0, source),
  ),
  guard('tx_mint_mismatch', 'tokens are of the operation’s mint', names('token_transfer', 1, mint)),
  guard(
    'tx_destination_mismatch',
    'tokens go to the receiver’s account',
    names('token_transfer', 2, destination),
  ),
  guard(
    'tx_foreign_authority',
    'the wallet itself sends tokens',
    names('token_transfer', 3, wallet),
  ),
  guard(
    'tx_amount_mismatch',
    'as many tokens leave as the operation says',
    every('token_transfer', isAmountAt(1)),
  ),
  guard(
    'tx_mint_mismatch',
    'tokens have the decimals of their mint',
    every('token_transfer', ({ data }, { op }) => {
      return data[9] === TOKEN_DECIMALS[op.asset];
    }),
  ),
];

const SOL_GUARDS: readonly Guard<SeenMessage>[] = [
  guard('tx_source_mismatch', 'SOL leaves the wallet', names('sol_transfer', 0, wallet)),
  guard('tx_destination_mismatch', 'SOL goes to the receiver', names('sol_transfer', 1, receiver)),
  guard(
    'tx_amount_mismatch',
    'as many lamports leave as the operation says',
    every('sol_transfer', isAmountAt(4)),
  ),
];

/** The money of the operation moves, and no other. */
export const MONEY_GUARDS: readonly Guard<SeenMessage>[] = [
  guard('tx_transfer_count', 'money moves once', (seen) => {
    return seen.of('token_transfer').length + seen.of('sol_transfer').length === 1;
  }),
  guard('tx_mint_mismatch', 'SOL moves only where the operation says SOL', (seen) => {
    return seen.mint === null || seen.of('sol_transfer').length === 0;
  }),
  ...TOKEN_GUARDS,
  ...SOL_GUARDS,
  ...CREATION_GUARDS,
];

function isAmountAt(place: number) {
  return ({ data }: { readonly data: Uint8Array }, { op }: SeenMessage): boolean =>
    u64(data, place) === BigInt(op.amount);
}
