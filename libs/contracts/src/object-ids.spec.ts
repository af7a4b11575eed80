import { MODES, uuidOf } from '@tender/kernel';
import fc from 'fast-check';
import { keyIds } from './accounts';
import {
  codeIds,
  codeOrUuid,
  formerId,
  modeOf,
  newId,
  oneNameOf,
  uuidIds,
  uuidOfCode,
  type CodeOrUuid,
  type IdKind,
} from './object-ids';
import { paymentIds, receiptIds, settlementIds } from './payment-ids';
import { planIds } from './plan-ids';
import { deliveryIds, eventIds } from './webhook-dispatcher';

type Made = Exclude<IdKind, CodeOrUuid>;
const KINDS: Readonly<Record<string, Made>> = {
  paymentIds,
  receiptIds,
  settlementIds,
  keyIds,
  eventIds,
  deliveryIds,
  uuidIds,
  codeIds,
  planIds,
};
const bytes = Buffer.from('000102030405060708090a0b0c0d0eff', 'hex');
const anyBytes = fc.uint8Array({ minLength: 16, maxLength: 32 });

test.each([
  [paymentIds, 'pay_live_000SYW7RiJxkEgOGusQH0h'],
  [receiptIds, 'rcpt_live_000SYW7RiJxkEgOGusQH0h'],
  [settlementIds, 'set_live_000SYW7RiJxkEgOGusQH0h'],
  [keyIds, 'key_live_000SYW7RiJxkEgOGusQH0h'],
  [eventIds, 'evt_live_000SYW7RiJxkEgOGusQH0h'],
  [deliveryIds, 'wh_live_000SYW7RiJxkEgOGusQH0h'],
  [codeIds, 'l000SYW7RiJxkEgOGusQH0h'],
  [uuidIds, '00010203-0405-8607-8809-0a0b0c0d0eff'],
])('new ids of %j look like %s', (kind, id) => {
  expect(newId(kind, 'live', bytes)).toBe(id);
  expect(modeOf(kind, id)).toBe('live');
});

test.each(Object.entries(KINDS))('ids of %s say their mode, and no two modes share one', (_, kind) => {
  fc.assert(
    fc.property(anyBytes, (some) => {
      const ids = MODES.map((mode) => newId(kind, mode, some));
      expect(ids.map((id) => modeOf(kind, id))).toEqual(MODES);
      expect(new Set(ids).size).toBe(2);
    }),
  );
});

test('an id of one kind says nothing as an id of another', () => {
  for (const [name, kind] of Object.entries(KINDS)) {
    const read = Object.keys(KINDS).filter(
      (other) => modeOf(KINDS[other] as Made, newId(kind, 'test', bytes)) !== null,
    );
    expect(read).toEqual([name]);
  }
});

const characters = '0'.repeat(22);
test.each([
  [paymentIds, 'pay_test_'],
  [paymentIds, `pay_${characters}`],
  [paymentIds, `pay_prod_${characters}`],
  [paymentIds, `pay_TEST_${characters}`],
  [paymentIds, `pay_test_${characters}0`],
  [paymentIds, `pay_test_${characters.slice(1)}`],
  [paymentIds, `pay_test_${characters.slice(1)}-`],
  [paymentIds, `pay_test_${characters}\n`],
  [paymentIds, `x_pay_test_${characters}`],
  [paymentIds, `key_test_pay_test_${characters}`],
  [receiptIds, `rcpt_${characters}`],
  [deliveryIds, `wh_${characters}`],
  [codeIds, characters],
  [codeIds, `T${characters}`],
  [codeIds, `t${characters}0`],
  [uuidIds, ''],
  [uuidIds, '00010203-0405-4607-8809-0a0b0c0d0eff'],
  [uuidIds, '00010203-0405-8607-c809-0a0b0c0d0eff'],
])('%j reads no mode from %j', (kind, id) => {
  expect(modeOf(kind, id)).toBeNull();
});

test('a UUID says its mode in either case of its letters', () => {
  const [test, live] = MODES.map((mode) => uuidOf(Buffer.alloc(16, 0xfe), mode));
  expect([test, live].map((id) => String(id).slice(-2))).toEqual(['fe', 'ff']);
  expect(modeOf(uuidIds, String(live).toUpperCase())).toBe('live');
});

test('the former id of an object has the same characters, and of a former id it is itself', () => {
  const former = `rcpt_${newId(receiptIds, 'test', bytes).slice(-22)}`;
  for (const mode of MODES) {
    expect(formerId(receiptIds, newId(receiptIds, mode, bytes))).toBe(former);
  }
  expect(formerId(receiptIds, former)).toBe(former);
  const of_another_kind = newId(receiptIds, 'test', bytes);
  expect(formerId(eventIds, of_another_kind)).toBe(of_another_kind);
});

test('where a path takes code or UUID, both say the mode, and nothing else does', () => {
  for (const mode of MODES) {
    expect(modeOf(codeOrUuid, newId(codeIds, mode, bytes))).toBe(mode);
    expect(modeOf(codeOrUuid, newId(uuidIds, mode, bytes))).toBe(mode);
  }
  expect(modeOf(codeOrUuid, newId(paymentIds, 'test', bytes))).toBeNull();
});

test('a code leads to the UUID of its object, which is the one name of both', () => {
  fc.assert(
    fc.property(anyBytes, fc.constantFrom(...MODES), (some, mode) => {
      const [code, uuid] = [newId(codeIds, mode, some), newId(uuidIds, mode, some)];
      expect(uuidOfCode(code)).toBe(uuid);
      expect([code, uuid, uuid.toUpperCase()].map((name) => oneNameOf(codeOrUuid, name))).toEqual(
        Array(3).fill(uuid),
      );
      expect(oneNameOf(codeIds, code)).toBe(uuid);
    }),
  );
  expect(oneNameOf(codeIds, 'tzzzzzzzzzzzzzzzzzzzzzz')).toBe('tzzzzzzzzzzzzzzzzzzzzzz');
  expect(uuidOfCode('tzzzzzzzzzzzzzzzzzzzzzz')).toBeNull();
  expect(oneNameOf(paymentIds, 'pay_test_X')).toBe('pay_test_X');
});
