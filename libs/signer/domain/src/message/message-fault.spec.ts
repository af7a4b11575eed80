import type { Operation } from '@tender/threshold';
import { readMessage } from '@tender/transactions';
import { brokenGuard, type Guard } from '../guard';
import { attacksOnMessages } from '../testing/attacks-on-messages';
import { without } from '../testing/tampering';
import { honestMessage } from '../testing/honest';
import {
  attacker,
  fee_payer,
  inSol,
  recent_blockhash,
  refund,
  rules,
  settlement,
} from '../testing/requests';
import { FORM_GUARDS, readBytes, type ReadBytes } from './envelope-guards';
import { brokenByMessage, faultOfMessage, MESSAGE_GUARDS } from './message-fault';
import { seenMessage, type SeenMessage } from './seen-message';

const attacked: Readonly<Record<string, Operation>> = {
  'refund in USDC': refund,
  'settlement in SOL': inSol(settlement),
};
const operations: Readonly<Record<string, Operation>> = {
  ...attacked,
  'refund in USDT': { ...refund, asset: 'USDT' },
  'refund in SOL': inSol(refund),
  'settlement in USDC': settlement,
  'settlement in USDT': { ...settlement, asset: 'USDT' },
};
const messageOf = (op: Operation): Uint8Array =>
  honestMessage(op, rules, { fee_payer, recent_blockhash });
const attacksOn = (op: Operation) => attacksOnMessages({ op, rules, fee_payer, attacker });

describe('passes', () => {
  test.each(Object.entries(operations))('%s', (_, op) => {
    expect(faultOfMessage(messageOf(op), op, rules)).toBeNull();
  });

  test('a transfer to a receiver whose account is there', () => {
    expect(faultOfMessage(without('creation')(messageOf(refund)), refund, rules)).toBeNull();
  });

  test('the highest offer for priority', () => {
    const message = honestMessage(refund, rules, {
      fee_payer,
      recent_blockhash,
      unit_price: 500_000n,
    });
    expect(faultOfMessage(message, refund, rules)).toBeNull();
    const lower = { ...rules, priority_lamports_max: rules.priority_lamports_max - 1n };
    expect(faultOfMessage(message, refund, lower)).toBe('tx_priority_fee_too_high');
  });
});

describe.each(Object.entries(attacked))('refuses, of a %s', (_, op) => {
  test.each(attacksOn(op).map(({ code, name, tampered }) => [code, name, tampered] as const))(
    '%s: %s',
    (code, _name, tampered) =>
      expect(faultOfMessage(tampered(messageOf(op)), op, rules)).toBe(code),
  );
});

test('the message of one operation is not that of another', () => {
  const others: Partial<Operation>[] = [
    ...[
      { id: 'refund-2' },
      { wallet: attacker },
      { to: attacker },
      { asset: 'USDT' },
      { amount: '1' },
    ],
  ] as Partial<Operation>[];
  for (const other of others)
    expect(faultOfMessage(messageOf(refund), { ...refund, ...other }, rules)).not.toBeNull();
});

describe('no guard says what another one says', () => {
  const seen = Object.values(attacked).flatMap((op) =>
    attacksOn(op)
      .map(({ tampered }) => tampered(messageOf(op)))
      .filter((bytes) => MESSAGE_GUARDS.some((one) => one === brokenByMessage(bytes, op, rules)))
      .map((bytes) => seenMessage(readMessage(bytes), op, rules)),
  );
  const isStopped = (guards: readonly Guard<SeenMessage>[], one: SeenMessage): boolean =>
    guards.some(({ holds }) => !holds(one));

  test.each(MESSAGE_GUARDS.map((one) => [one.rule, one] as const))(
    'without “%s” an attack passes',
    (_, one) => {
      const others = MESSAGE_GUARDS.filter((other) => other !== one);
      expect(seen.some((attack) => !isStopped(others, attack))).toBe(true);
    },
  );

  test.each(FORM_GUARDS.map((one) => [one.rule, one] as const))(
    'without “%s” an attack on the form passes, or is taken for another',
    (_, one) => {
      const others = FORM_GUARDS.filter((other) => other !== one);
      const named = attacksOn(refund).map(({ tampered }) => readBytes(tampered(messageOf(refund))));
      const firstOf = (guards: typeof FORM_GUARDS, read: ReadBytes) => {
        try {
          return brokenGuard(guards, read)?.code ?? 'passes';
        } catch {
          return 'throws';
        }
      };
      expect(named.some((read) => firstOf(others, read) !== firstOf(FORM_GUARDS, read))).toBe(true);
    },
  );
});
