import { createHash, createHmac, pbkdf2Sync } from 'node:crypto';

const ITERATIONS = 4_096;
const KEY_BYTES = 32;
const SALT_BYTES = 16;

/**
 * What Postgres keeps of a password (SCRAM-SHA-256, RFC 5802): the program that makes the role is given this, and never
 * learns the password. The salt follows from the password, which has 256 bits of chance: it is the same each time.
 */
export function databaseVerifier(password: string): string {
  const salt = sha256(Buffer.from(`tender.database-salt.v1|${password}`)).subarray(0, SALT_BYTES);
  return scramVerifier(password, salt);
}

/** In the form that `CREATE ROLE … PASSWORD` takes as it is. */
export function scramVerifier(password: string, salt: Buffer): string {
  const salted = pbkdf2Sync(password, salt, ITERATIONS, KEY_BYTES, 'sha256');
  const stored = sha256(hmac(salted, 'Client Key')).toString('base64');
  const server = hmac(salted, 'Server Key').toString('base64');
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${stored}:${server}`;
}

const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();
const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
