import type { Instruction } from '../message';
import {
  COMPUTE_BUDGET_PROGRAM,
  computeBudget,
  createTokenAccount,
  transferSol,
  transferToken,
} from '../programs';
import type { Attack, AttackRow, Parties } from './attack';
import { attacksOnPayments } from './attacks-on-payments';
import { use } from './changes';
import { adding, budgeted, system, token, told, u32 } from './wallet-changes';
import { someAddress } from './signing';

/** Every attack that was measured against a sponsor who signs what it is given. */
export const attacksOn = (parties: Parties): readonly Attack[] =>
  [...attacksOnSponsors(parties), ...attacksOnPayments(parties)].map(
    ([reason, name, changes, of = 'token']) => ({ reason, name, changes, of }),
  );

/** Whatever the sponsor would pay for, or lose. */
function attacksOnSponsors(parties: Parties): readonly AttackRow[] {
  const { sponsor, customer, attacker, mint } = parties;
  const { sponsors_account, attackers_account } = parties;
  const attackersCreation = createTokenAccount({
    payer: sponsor,
    account: attackers_account,
    owner: attacker,
    mint,
  });
  const fromSponsor = transferToken({
    source: sponsors_account,
    destination: attackers_account,
    owner: sponsor,
    mint,
    decimals: 6,
    amount: 1n,
  });
  return [
    [
      'instruction_set_changed',
      'lamports of the sponsor',
      adding(transferSol(sponsor, attacker, 1n)),
    ],
    [
      'instruction_set_changed',
      'the same in SOL',
      adding(transferSol(sponsor, attacker, 1n)),
      'sol',
    ],
    [
      'unexpected_signers',
      'an account that the sponsor pays for',
      adding(system(0, use(sponsor, 'sw'), use(attacker, 'sw'))),
    ],
    ['instruction_changed', 'an account for the attacker', adding(attackersCreation)],
    [
      'instruction_changed',
      'an account that is made and closed',
      adding(
        attackersCreation,
        token([9], use(attackers_account, 'w'), use(customer, 'w'), use(customer, 's')),
      ),
      'new account',
    ],
    [
      'instruction_changed',
      'the attacker’s account in place of the merchant’s',
      { instructions: (built) => [...built.slice(0, 2), attackersCreation, ...built.slice(3)] },
      'new account',
    ],
    ['priority_fee_exceeded', 'a price over the cap', budgeted(200_000, 10n ** 9n)],
    ['priority_fee_exceeded', 'one lamport over the cap', budgeted(100_000, 500_001n)],
    ['priority_fee_exceeded', 'the highest price', budgeted(1, 2n ** 64n - 1n)],
    ['compute_limit_exceeded', 'a limit over the cap', budgeted(300_001, 0n)],
    ['compute_limit_exceeded', 'the chain’s whole limit', budgeted(1_400_000, 10n ** 9n)],
    [
      'compute_limit_exceeded',
      'a price without a limit',
      { instructions: (built) => built.slice(1) },
    ],
    [
      'duplicate_compute_budget',
      'a second price',
      adding(computeBudget({ unit_limit: 1, unit_price: 1n })[1] as Instruction),
    ],
    [
      'duplicate_compute_budget',
      'a second limit',
      adding(computeBudget({ unit_limit: 1, unit_price: 1n })[0] as Instruction),
    ],
    [
      'compute_budget_not_allowed',
      'a bigger heap',
      adding(told(COMPUTE_BUDGET_PROGRAM, [1, ...u32(65_536)])),
    ],
    [
      'compute_budget_not_allowed',
      'the old form',
      adding(told(COMPUTE_BUDGET_PROGRAM, [0, ...u32(1), ...u32(1)])),
    ],
    [
      'compute_budget_not_allowed',
      'a limit of four bytes',
      adding(told(COMPUTE_BUDGET_PROGRAM, [2, 1, 1, 1])),
    ],
    ['instruction_set_changed', 'tokens of the sponsor', adding(fromSponsor)],
    [
      'instruction_set_changed',
      'a right to tokens of the sponsor',
      adding(
        token(
          [4, 1, 0, 0, 0, 0, 0, 0, 0],
          use(sponsors_account, 'w'),
          use(attacker),
          use(sponsor, 's'),
        ),
      ),
    ],
    [
      'instruction_set_changed',
      'an account of the sponsor',
      adding(token([6, 2, 0], use(sponsors_account, 'w'), use(sponsor, 's'))),
    ],
    [
      'instruction_set_changed',
      'the lamports of an account of the sponsor',
      adding(token([9], use(sponsors_account, 'w'), use(attacker, 'w'), use(sponsor, 's'))),
    ],
    [
      'instruction_set_changed',
      'the sponsor’s wallet given to a program',
      adding(system(1, use(sponsor, 'sw'))),
    ],
    ['instruction_set_changed', 'the same in SOL', adding(system(1, use(sponsor, 'sw'))), 'sol'],
    [
      'instruction_set_changed',
      'a nonce in front',
      {
        instructions: (built) => [
          system(4, use(attackers_account, 'w'), use(customer, 's')),
          ...built,
        ],
      },
    ],
    ['blockhash_mismatch', 'another blockhash', { recent_blockhash: someAddress(80) }],
    [
      'instruction_set_changed',
      'an unknown program',
      adding(told(someAddress(81), [0], use(sponsor, 'sw'))),
    ],
  ];
}
