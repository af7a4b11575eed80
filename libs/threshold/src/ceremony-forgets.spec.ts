import type { CeremonyParticipant } from './ceremony';
import { CeremonyFault } from './ceremony-fault';
import type { KeyShare } from './key-share';
import type { Round1 } from './messages';
import { HOSTED_ROLES, type HostedHolder, type Role } from './parties';
import { Polynomial } from './polynomial';
import { sealKeyPair } from './seal';
import { ceremonyTable, dealtWallet, heldCeremony } from './testing';

const erased = jest.spyOn(Polynomial.prototype, 'erase');
const erasedShare = jest.spyOn(Object.getPrototypeOf(dealtWallet().shares.A) as KeyShare, 'erase');
beforeEach(() => jest.clearAllMocks());
afterAll(() => {
  erased.mockRestore();
  erasedShare.mockRestore();
});

const codeOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    if (error instanceof CeremonyFault) return error.code;
    throw error;
  }
  return 'nothing was thrown';
};
const turns: readonly ((participant: CeremonyParticipant) => unknown)[] = [
  (one) => one.round1(),
  (one) => one.round2([]),
  (one) => one.round3([]),
  (one) => one.finish([]),
];
function expectNothingLeft(participant: CeremonyParticipant): void {
  expect(erased).toHaveBeenCalledTimes(1);
  for (const turn of turns) expect(codeOf(() => turn(participant))).toBe('dkg_out_of_order');
}

it('a polynomial that is erased has no key to open with, and deals nothing', () => {
  const seal_key = sealKeyPair();
  const [own, other] = [new Polynomial('A', 's', HOSTED_ROLES, seal_key), new Polynomial('B', 's', HOSTED_ROLES)];
  const said = new Map<Role, Round1>([
    ['B', other.commit()],
    ['R', new Polynomial('R', 's', HOSTED_ROLES).commit()],
  ]);
  own.erase();
  expect(seal_key.secret_key.every((byte) => byte === 0)).toBe(true);
  expect(() => own.deal(said)).toThrow(CeremonyFault);
});

it.each([0, 1, 2])('a party that is closed after round %i has nothing left', (rounds) => {
  const { A, B, R } = ceremonyTable().participants;
  const round1 = rounds > 0 ? [A, B, R].map((one) => one.round1()) : [];
  if (rounds > 1) A.round2(round1);
  A.close();
  expectNothingLeft(A);
});

it('a party that is not told all, because another has left, has nothing left', () => {
  const { A, B } = ceremonyTable().participants;
  const round1 = [A.round1(), B.round1()];
  expect(codeOf(() => A.round2(round1))).toBe('dkg_incomplete');
  expectNothingLeft(A);
});

it('a party that another leaves at the end has no roster, and nothing left of its share', () => {
  const { A, B, R } = ceremonyTable().participants;
  const round1 = [A.round1(), B.round1(), R.round1()];
  const dealt = [A, B, R].flatMap((one) => one.round2(round1));
  const dealtTo = (role: Role) => dealt.filter(({ message }) => message.to === role);
  const round3 = [A.round3(dealtTo('A')), B.round3(dealtTo('B'))];
  expect(codeOf(() => A.finish(round3))).toBe('dkg_incomplete');
  expectNothingLeft(A);
  expect(erasedShare).toHaveBeenCalledTimes(1);
});

it('a party that has finished has given its share away, and keeps nothing else', () => {
  const { participants } = ceremonyTable();
  const results = heldCeremony({ participants });
  expect(erased).toHaveBeenCalledTimes(3);
  participants.A.close();
  const isThere = (role: HostedHolder) => results[role].share.secret.some((byte) => byte !== 0);
  expect(HOSTED_ROLES.every(isThere)).toBe(true);
});
