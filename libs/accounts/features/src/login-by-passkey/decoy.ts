/** The base point of P-256, from SEC 2: a key of which all the world has the private one. */
const X = '6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296';
const Y = '4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5';

/** COSE: an EC2 key for ES256 on P-256, and the lengths of its coordinates. */
const [HEAD, BEFORE_Y] = ['a5010203262001215820', '225820'];

/**
 * What an answer is verified with where there is no such passkey, so that it takes as long. No merchant has it: an
 * answer that is right for it opens no session.
 */
export const DECOY = {
  id: '',
  public_key: Buffer.from(HEAD + X + BEFORE_Y + Y, 'hex').toString('base64url'),
} as const;
