import {
  COMPUTE_BUDGET_PROGRAM,
  readMessage,
  SYSTEM_PROGRAM,
  TOKEN_ACCOUNT_PROGRAM,
  WRAPPED_SOL,
  type Instruction,
} from '@tender/transactions';
import { assert, system, token, told, u32, use } from '@tender/transactions/testing';
import type { MessageAttackRow, Target } from './attack';
import { honestMessage } from './honest';
import {
  added,
  both,
  entitled,
  joined,
  lengthened,
  twice,
  u64Bytes,
  withInstructions,
  without,
  written,
} from './tampering';

/** Who signs and pays, and whatever else a message may be made to do. */
export function attacksOnEnvelope(target: Target): readonly MessageAttackRow[] {
  const { op, rules, attacker } = target;
  const { wallet, to } = op;
  const walletPays = (message: Uint8Array): Uint8Array => {
    const { recent_blockhash } = readMessage(message);
    return honestMessage(op, rules, { fee_payer: wallet, recent_blockhash });
  };
  return [
    ['tx_wallet_pays_fee', 'the wallet pays the fee', walletPays],
    [
      'tx_wallet_pays_fee',
      'the wallet pays the fee, and the receiver signs, too',
      both(walletPays, entitled(to, { signer: true })),
    ],
    [
      'tx_wallet_not_signer',
      'the receiver signs in place of the wallet',
      both(entitled(wallet, { signer: false }), entitled(to, { signer: true })),
    ],
    ['tx_foreign_authority', 'the receiver signs, too', entitled(to, { signer: true })],
    [
      'tx_foreign_authority',
      'the attacker signs, too',
      added(system(0, use(wallet, 'sw'), use(attacker, 'sw'))),
    ],
    ...forbiddenPrograms(target),
    ...forbiddenInstructions(target),
    ...longInstructions(target),
    ...attacksOnBudget,
    [
      'tx_not_canonical',
      'the money before its marker',
      withInstructions((built) => [built.at(-1) as Instruction, ...built.slice(0, -1)]),
    ],
    [
      'tx_not_canonical',
      'an account is marked as written that is only read',
      entitled(WRAPPED_SOL, { writable: true }),
    ],
  ];
}

function forbiddenPrograms({ op, attacker }: Target): readonly MessageAttackRow[] {
  const { wallet } = op;
  const row = (name: string, ...more: Instruction[]): MessageAttackRow => [
    ...(['tx_program_forbidden', name, added(...more)] as const),
  ];
  return [
    row('an unknown program', told(attacker, [1])),
    row('an unknown program that is given the wallet', told(attacker, [1], use(wallet, 'sw'))),
    row('a memo', told('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr', [120])),
    row('a precompile', told('Ed25519SigVerify111111111111111111111111111', [0, 0])),
    row('an assert', assert(use(wallet))),
    row(
      'tokens of the new program',
      told('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb', [12], use(wallet, 's')),
    ),
    row(
      'stake of the wallet',
      told('Stake11111111111111111111111111111111111111', [0, 0, 0, 0], use(wallet, 'sw')),
    ),
  ];
}

/** Each of them would give the wallet’s money away, now or later. */
function forbiddenInstructions({ op, attacker }: Target): readonly MessageAttackRow[] {
  const { wallet } = op;
  const row = (name: string, ...more: Instruction[]): MessageAttackRow => [
    ...(['tx_instruction_forbidden', name, added(...more)] as const),
  ];
  const owned = use(attacker, 'w');
  const mine = use(wallet, 's');
  return [
    row('a right to the wallet’s tokens', token([4, ...u64Bytes(1n)], owned, use(attacker), mine)),
    row(
      'the same, checked',
      token([13, ...u64Bytes(1n), 6], owned, use(attacker), use(attacker), mine),
    ),
    row(
      'a right that nothing is written for',
      token([4, ...u64Bytes(1n)], use(attacker), use(attacker), mine),
    ),
    row('another owner of the wallet’s tokens', token([6, 2, 1], owned, mine)),
    row('the wallet’s account closed', token([9], owned, owned, mine)),
    row('tokens burned', token([8, ...u64Bytes(1n)], owned, owned, mine)),
    row('a transfer that names no mint', token([3, ...u64Bytes(1n)], owned, owned, mine)),
    row('instructions in an instruction', token([255, 0], mine)),
    row('lamports unwrapped', token([45, 0], owned, owned, mine)),
    row('lamports beyond the rent', token([38], owned, owned, mine)),
    row('no data for the token program', token([], mine)),
    row('the wallet given to a program', system(1, use(wallet, 'sw'))),
    row('a nonce, so that the signature never expires', system(4, owned, use(attacker), mine)),
    row('a transfer from a seeded account', system(11, owned, mine, owned)),
    row('an account made with a seed', system(3, use(wallet, 'sw'), owned)),
    row('no data for the System program', told(SYSTEM_PROGRAM, [], mine)),
    row(
      'an account for the attacker that may be there',
      told(TOKEN_ACCOUNT_PROGRAM, [0], use(wallet, 'sw')),
    ),
    row(
      'tokens of an account that the wallet’s own account owns',
      told(TOKEN_ACCOUNT_PROGRAM, [2], use(wallet, 'sw')),
    ),
    row('a bigger heap', told(COMPUTE_BUDGET_PROGRAM, [1, ...u32(65_536)])),
    row('the old form of a price', told(COMPUTE_BUDGET_PROGRAM, [0, ...u32(1), ...u32(1)])),
    row('a limit of what is loaded', told(COMPUTE_BUDGET_PROGRAM, [4, ...u32(1)])),
  ];
}

function longInstructions({ attacker }: Target): readonly MessageAttackRow[] {
  const places = ['limit', 'price', 'rent', 'allocation', 'initialization', 'money'] as const;
  return places.flatMap((place): MessageAttackRow[] => [
    ['tx_not_canonical', `a byte behind the data: ${place}`, lengthened(place, 0)],
    ['tx_not_canonical', `one more account: ${place}`, joined(place, use(attacker))],
  ]);
}

const attacksOnBudget: readonly MessageAttackRow[] = [
  ['tx_not_canonical', 'no limit, so that the chain takes its own', without('limit')],
  ['tx_not_canonical', 'a second limit', twice('limit')],
  ['tx_not_canonical', 'no price', without('price')],
  ['tx_not_canonical', 'a second price', twice('price')],
  ['tx_priority_fee_too_high', 'one lamport too much', written('price', 1, u64Bytes(500_001n))],
  [
    'tx_priority_fee_too_high',
    'the fee of the whole network',
    both(written('limit', 1, u32(1_400_000)), written('price', 1, u64Bytes(10n ** 9n))),
  ],
  ['tx_priority_fee_too_high', 'the highest price', written('price', 1, u64Bytes(2n ** 64n - 1n))],
];
