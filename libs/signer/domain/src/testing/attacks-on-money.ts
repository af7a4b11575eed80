import {
  associatedTokenAccount,
  createTokenAccount,
  transferSol,
  transferToken,
  WRAPPED_SOL,
} from '@tender/transactions';
import { use } from '@tender/transactions/testing';
import { mintOf } from '../rules';
import type { MessageAttackRow, Target } from './attack';
import {
  added,
  both,
  entitled,
  joined,
  lengthened,
  renamed,
  replaced,
  twice,
  u64Bytes,
  without,
  written,
} from './tampering';

const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';

/** Other money than that of the operation, or elsewhere. */
export function attacksOnMoney(target: Target): readonly MessageAttackRow[] {
  const { op, attacker, fee_payer } = target;
  const mint = mintOf(target.rules, op.asset);
  return [
    ['tx_transfer_count', 'the money twice', twice('money')],
    [
      'tx_transfer_count',
      'no money, so that the marker blocks the operation',
      both(
        without('money'),
        mint === null ? entitled(op.wallet, { writable: false }) : (same) => same,
      ),
    ],
    [
      'tx_transfer_count',
      'SOL of the wallet for the attacker as well',
      added(transferSol(op.wallet, attacker, 1n)),
    ],
    [
      'tx_transfer_count',
      'SOL of the fee payer for the attacker as well',
      added(transferSol(fee_payer, attacker, 1n)),
    ],
    ...(mint === null ? attacksOnSol(target) : attacksOnTokens(target, mint)),
  ];
}

function attacksOnSol({ op, rules, attacker, fee_payer }: Target): readonly MessageAttackRow[] {
  const { wallet, to } = op;
  const mint = rules.mints.USDC;
  const creation = createTokenAccount({ payer: fee_payer, account: to, owner: to, mint });
  return [
    [
      'tx_source_mismatch',
      'SOL of the fee payer',
      both(renamed('money', 0, fee_payer), entitled(wallet, { writable: false })),
    ],
    ['tx_destination_mismatch', 'SOL for the attacker', renamed('money', 1, attacker)],
    [
      'tx_amount_mismatch',
      'one lamport more',
      written('money', 4, u64Bytes(BigInt(op.amount) + 1n)),
    ],
    [
      'tx_amount_mismatch',
      'one lamport less',
      written('money', 4, u64Bytes(BigInt(op.amount) - 1n)),
    ],
    [
      'tx_source_mismatch',
      'tokens in place of SOL',
      replaced('money', () => [tokensTo(to, op, mint)]),
    ],
    ['tx_transfer_count', 'tokens as well', added(tokensTo(attacker, op, mint))],
    [
      'tx_mint_mismatch',
      'an account for tokens as well',
      replaced('money', (money) => [creation, money]),
    ],
  ];
}

function attacksOnTokens(
  { op, attacker, fee_payer }: Target,
  mint: string,
): readonly MessageAttackRow[] {
  const { wallet, to, amount } = op;
  const attackers = associatedTokenAccount(attacker, mint);
  return [
    [
      'tx_mint_mismatch',
      'SOL in place of tokens',
      replaced('money', () => [transferSol(wallet, to, BigInt(amount))]),
    ],
    ['tx_transfer_count', 'tokens for the attacker as well', added(tokensTo(attacker, op, mint))],
    ['tx_source_mismatch', 'tokens of another account', renamed('money', 0, attackers)],
    ['tx_mint_mismatch', 'tokens of another mint', renamed('money', 1, attacker)],
    ['tx_mint_mismatch', 'wrapped SOL', renamed('money', 1, WRAPPED_SOL)],
    ['tx_destination_mismatch', 'tokens for the attacker', renamed('money', 2, attackers)],
    [
      'tx_destination_mismatch',
      'tokens for the receiver’s wallet in place of its account',
      renamed('money', 2, to),
    ],
    ['tx_foreign_authority', 'tokens that the fee payer may send', renamed('money', 3, fee_payer)],
    ['tx_amount_mismatch', 'one unit more', written('money', 1, u64Bytes(BigInt(amount) + 1n))],
    ['tx_amount_mismatch', 'one unit less', written('money', 1, u64Bytes(BigInt(amount) - 1n))],
    [
      'tx_amount_mismatch',
      'the most that can be written',
      written('money', 1, u64Bytes(2n ** 64n - 1n)),
    ],
    ['tx_mint_mismatch', 'other decimals', written('money', 9, [9])],
    ['tx_not_canonical', 'the receiver’s account made twice', twice('creation')],
    ['tx_not_canonical', 'a byte behind the data: creation', lengthened('creation', 0)],
    ['tx_not_canonical', 'one more account: creation', joined('creation', use(attacker))],
    [
      'tx_source_mismatch',
      'the wallet pays for the receiver’s account',
      renamed('creation', 0, wallet),
    ],
    [
      'tx_destination_mismatch',
      'an account of the attacker is made',
      renamed('creation', 1, attackers),
    ],
    [
      'tx_destination_mismatch',
      'an account is made for the attacker',
      renamed('creation', 2, attacker),
    ],
    ['tx_mint_mismatch', 'an account of another mint is made', renamed('creation', 3, attacker)],
    [
      'tx_not_canonical',
      'another program in place of the System program',
      renamed('creation', 4, attacker),
    ],
    ['tx_not_canonical', 'an account of the new token program', renamed('creation', 5, TOKEN_2022)],
  ];
}

/** Some tokens of the wallet for somewhere. */
function tokensTo(owner: string, { wallet, amount }: Target['op'], mint: string) {
  return transferToken({
    source: associatedTokenAccount(wallet, mint),
    destination: associatedTokenAccount(owner, mint),
    ...{ owner: wallet, mint, decimals: 6, amount: BigInt(amount) },
  });
}
