import {
  CeremonyParticipant,
  custodyModelOf,
  openRecovery,
  rosterFault,
  type CeremonyPlan,
  type Role,
  type Signed,
} from '@tender/threshold';
import { base58, base64 } from '@tender/transactions';
import { SignersDouble } from '../testing/signers-double';
import { holdCeremony, type CeremonySubject } from './ceremony';
import { CeremonyFailure } from './ceremony-failure';

const subject: CeremonySubject = {
  merchant_id: 'd7b2e1f0-5c1a-8b6e-9f00-1a2b3c4d5e60',
  mode: 'test',
  settlement_wallet: '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin',
};

let signers: SignersDouble;
beforeEach(() => {
  signers = new SignersDouble();
});

let sessions = 0;
const hold = (over: Partial<CeremonySubject> = {}, session = `session-${(sessions += 1)}`) =>
  holdCeremony(signers, { ...subject, ...over }, session, async () => undefined);

/** What the ceremony ends with in place of a wallet. */
async function failure(): Promise<readonly [string, Role | null]> {
  const error = await hold().then(() => null, (thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(CeremonyFailure);
  // Whatever went wrong, R’s process is not left behind, and A and B keep nothing.
  expect(signers.ended).toBe(signers.recoveries.length);
  const { code, culprit } = error as CeremonyFailure;
  return [code, culprit];
}

const parties = () => [signers.a, signers.b, ...signers.recoveries];

test('A, B and R make a wallet that treasury can verify and no party can spend from alone', async () => {
  const begun = jest.fn(async () => undefined);
  const signed = await holdCeremony(signers, subject, 'session-of-one', begun);
  expect(begun).toHaveBeenCalledTimes(1);
  const { roster } = signed;
  expect(rosterFault(signed)).toBeNull();
  expect(custodyModelOf(roster)).toBe('shared');
  expect(roster).toMatchObject({ ...subject, threshold: 2, beneficiary: 'merchant' });
  expect(signers.ended).toBe(1);
  // R’s share opens for who holds the offline key, and for no other.
  const { secret } = openRecovery(signers.recovery, roster.recovery!.sealed_share);
  const [recovered] = signers.recoveries;
  expect(secret).toEqual(recovered?.shares.get(roster.wallet)?.secret);
});

test('treasury reads everything, and learns no share', async () => {
  const { roster } = await hold();
  const seen = signers.wire + JSON.stringify(roster);
  const secrets = parties().map((party) => party.shares.get(roster.wallet)?.secret as Uint8Array);
  expect(secrets).toHaveLength(3);
  for (const secret of secrets) {
    const hex = Buffer.from(secret).toString('hex');
    for (const text of [base64(secret), base58(secret), hex]) expect(seen).not.toContain(text);
    expect(seen).not.toContain(base64(secret).replace(/=+$/, ''));
  }
  // What would show if it were there: the public part does.
  expect(seen).toContain(roster.commitments[0]);
});

/** Changes the messages of a list that a hacked treasury hands on, to one party or to all. */
function relays(
  kind: string,
  list: 'round1' | 'round2' | 'round3',
  change: (said: Signed) => Signed,
  to?: Role,
): void {
  signers.tampers = (role, { message }) => {
    if (message.kind !== kind || (to !== undefined && role !== to)) return null;
    const body = message.body as Readonly<Record<string, readonly Signed[]>>;
    return { [list]: (body[list] as readonly Signed[]).map(change) };
  };
}
const withBody = (said: Signed, changes: object): Signed => ({
  ...said,
  message: { ...said.message, body: { ...(said.message.body as object), ...changes } },
});
/** As if `by` had said it. */
const signedBy = (by: Role, said: Signed): Signed => {
  const party = parties().find(({ role }) => role === by);
  return party?.says(said.message, said.message.body, 'all') as Signed;
};
const of = (role: Role, change: (said: Signed) => Signed) => (said: Signed) =>
  said.message.from === role ? change(said) : said;
const key = () => base64(new SignersDouble().recovery.public_key);

describe('a hacked treasury', () => {
  test.each<[Role, Role]>([['A', 'B'], ['B', 'A'], ['R', 'A'], ['A', 'R']])(
    'that changes what %s has committed to is refused by %s',
    async (from, to) => {
      const other = new SignersDouble().a.identity.sign(new Uint8Array(1));
      const commitment = [base64(other.subarray(0, 32)), base64(other.subarray(32))];
      relays('ceremony.round-2', 'round1', of(from, (said) => withBody(said, { commitment })), to);
      expect(await failure()).toEqual(['dkg_bad_signature', null]);
    },
  );

  test('that puts a seal key of its own in the place of R’s is refused', async () => {
    relays('ceremony.round-2', 'round1', of('R', (said) => withBody(said, { seal_key: key() })));
    expect(await failure()).toEqual(['dkg_bad_signature', null]);
  });

  test('that runs R itself, and has its share sealed to itself, is refused by A and B', async () => {
    relays('ceremony.finish', 'round3', of('R', (said) =>
      signedBy('R', withBody(said, { recovery: { ...recoveryOf(said), sealed_to: key() } })),
    ));
    const [code, culprit] = await failure();
    expect([code, culprit]).toEqual(['dkg_recovery_mismatch', 'R']);
  });

  test('that brings the first round of an older ceremony is refused', async () => {
    let old: Signed | null = null;
    signers.answers = (role, answer) => {
      if (role === 'A' && answer.message.kind === 'ceremony.begin') old ??= answer;
      return answer;
    };
    await hold();
    relays('ceremony.round-2', 'round1', of('A', () => old as unknown as Signed), 'B');
    expect(await failure()).toEqual(['dkg_wrong_session', null]);
  });

  test('that keeps a message back is refused', async () => {
    signers.tampers = (role, { message }) =>
      message.kind === 'ceremony.round-3' && role === 'B' ? { round2: [] } : null;
    expect(await failure()).toEqual(['dkg_incomplete', null]);
  });

  test('that gives B the share which A dealt to R is refused', async () => {
    let others: Signed | undefined;
    signers.answers = (role, answer) => {
      const { kind, body } = answer.message;
      if (role === 'A' && kind === 'ceremony.round-2') {
        others = (body as { messages: Signed[] }).messages.find(({ message }) => message.to === 'R');
      }
      return answer;
    };
    relays('ceremony.round-3', 'round2', of('A', () => others as Signed), 'B');
    expect(await failure()).toEqual(['dkg_unexpected_message', null]);
  });

  test('that asks for a round twice is refused', async () => {
    let first = true;
    const { A } = signers;
    const askTwice = async (asked: unknown): Promise<unknown> => {
      const isSecondRound = (asked as Signed).message.kind === 'ceremony.round-2';
      if (isSecondRound && first) {
        first = false;
        await A.ask(asked);
      }
      return A.ask(asked);
    };
    Object.assign(signers, { A: { ask: askTwice } });
    expect(await failure()).toEqual(['dkg_out_of_order', null]);
  });
});

test('a party that tells the others different things is found out before there is a wallet', async () => {
  // A has two first rounds: what it tells B is of another polynomial.
  let second: Signed | null = null;
  signers.tampers = (role, { message }) => {
    if (message.kind !== 'ceremony.round-2' || role !== 'B') return null;
    const body = message.body as { readonly round1: readonly Signed[] };
    return { round1: body.round1.map(of('A', () => second as Signed)) };
  };
  signers.answers = (role, answer, asked) => {
    if (role === 'A' && answer.message.kind === 'ceremony.begin') {
      const plan = asked.message.body as CeremonyPlan;
      const recovery_key = base64(signers.recovery.public_key);
      const { session } = asked.message;
      const { identity } = signers.a;
      second = new CeremonyParticipant({ role, identity, session, plan, recovery_key }).round1();
    }
    return answer;
  };
  const [code, culprit] = await failure();
  expect(code).toBe('dkg_transcript_mismatch');
  expect([null, 'A', 'B']).toContain(culprit);
});

const recoveryOf = (said: Signed): object =>
  (said.message.body as { readonly recovery: object }).recovery;

describe('a party that ends with another roster than the others', () => {
  const swapped = (role: Role, change: (body: Record<string, unknown>) => object): void => {
    signers.answers = (from, answer) => {
      const { kind, body } = answer.message;
      if (from !== role || kind !== 'ceremony.finish') return answer;
      const party = parties().find((one) => one.role === role);
      return party?.says(answer.message, change(body as Record<string, unknown>)) as Signed;
    };
  };

  test.each<Role>(['A', 'B', 'R'])('is named: %s', async (role) => {
    const other = '7YttLkHDoNj9wyDur5pM1ejNaAvT9X4eqaYcHQqtj2G5';
    swapped(role, (body) => ({
      ...body,
      roster: { ...(body['roster'] as object), settlement_wallet: other },
    }));
    expect(await failure()).toEqual(['roster_invalid', role]);
  });

  test('or that has not signed it makes no wallet', async () => {
    swapped('B', (body) => ({ ...body, roster_signature: base64(new Uint8Array(64)) }));
    expect(await failure()).toEqual(['roster_invalid', 'B']);
  });
});

test('a roster on which all agree, and which treasury has not planned, makes no wallet', async () => {
  signers.tampers = (_, { message }) =>
    message.kind === 'ceremony.begin'
      ? { ...(message.body as CeremonyPlan), settlement_wallet: null }
      : null;
  expect(await failure()).toEqual(['roster_invalid', null]);
});

test('what comes from another than the party that was asked is not believed', async () => {
  signers.answers = (role, answer) =>
    role === 'B' ? signers.a.says(answer.message, answer.message.body, 'all') : answer;
  expect(await failure()).toEqual(['answer_not_genuine', null]);
});

test('while one is silent there is no wallet, and nothing is recorded', async () => {
  signers.b.is_down = true;
  const begun = jest.fn(async () => undefined);
  await expect(holdCeremony(signers, subject, 's-silent', begun)).rejects.toThrow('unavailable');
  expect(begun).not.toHaveBeenCalled();
  expect(signers.ended).toBe(1);
});

test('a party that was started anew in between lets another ceremony be held', async () => {
  signers.b.refuses.set('ceremony.round-3', { code: 'session_unknown', reason: '' });
  await expect(hold()).rejects.toThrow('unavailable');
});
