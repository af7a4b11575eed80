import type { Runtime, Sql } from '@tender/eventing';

/** Business time (S35). */
export const CHALLENGE_MS = 5 * 60_000;
const CHALLENGE_BYTES = 32;
/** Those that are over go when others come: so many at a time that the table cannot grow. */
const FORGOTTEN_MAX = 100;

export type ChallengePurpose = 'sign-in' | 'register-login' | 'register-signing';

/** What a passkey is asked to sign, once. */
export interface IssuedChallenge {
  readonly id: string;
  /** Base64url. */
  readonly challenge: string;
}

export interface UsedChallenge {
  readonly challenge: string;
  /** The merchant’s id, or what it would be: a sign-in begins for any e-mail. */
  readonly account: string;
}

type Issuing = Pick<Runtime, 'readModels' | 'random' | 'clock'>;

export async function issueChallenge(
  { readModels, random, clock }: Issuing,
  purpose: ChallengePurpose,
  account: string,
): Promise<IssuedChallenge> {
  const [id, now] = [random.uuid(), clock.now()];
  const challenge = random.bytes(CHALLENGE_BYTES).toString('base64url');
  await forgetOver(readModels, now);
  await readModels.query(
    `insert into accounts.passkey_challenges (id, purpose, account, challenge, ends_ms)
      values ($1, $2, $3, $4, $5)`,
    [id, purpose, account, challenge, now + CHALLENGE_MS],
  );
  return { id, challenge };
}

/**
 * Takes a challenge: whatever becomes of the answer to it, it is not taken again (S35). Null where there is none, it
 * was taken, is over, or was made for something else. `account` null: of any.
 */
export async function useChallenge(
  { readModels, clock }: Pick<Runtime, 'readModels' | 'clock'>,
  id: string,
  purpose: ChallengePurpose,
  account: string | null,
): Promise<UsedChallenge | null> {
  const [used] = await readModels.query<UsedChallenge>(
    `update accounts.passkey_challenges set used_ms = $3
      where id = $1 and purpose = $2 and used_ms is null and ends_ms > $3
        and ($4::text is null or account = $4)
      returning challenge, account`,
    [id.toLowerCase(), purpose, clock.now(), account],
  );
  return used ?? null;
}

async function forgetOver(sql: Sql, now: number): Promise<void> {
  await sql.query(
    `delete from accounts.passkey_challenges where id in (
      select id from accounts.passkey_challenges where ends_ms <= $1 limit ${FORGOTTEN_MAX}
      for update skip locked)`,
    [now],
  );
}
