import { createHmac, type KeyObject } from 'node:crypto';
import type { KeyRing } from '@tender/eventing';
import type { Clock } from '@tender/kernel';
import { dayKeys } from './day-keys';
import { keyFiles, newKey, type KeyFiles } from './key-files';
import { KEY_BYTES, openUnder, sealUnder, secretKey } from './sealing';
import { subjectKeys, type SubjectKeyStore } from './subject-keys';

export type { SubjectKeyStore } from './subject-keys';

export interface FileKeyRingOptions {
  /** `DATA_DIR/keys`. */
  readonly dir: string;
  /** 32 bytes as 64 hex digits or base64, from the environment's MASTER_KEY; else one is kept in `dir`. */
  readonly masterKey?: string | undefined;
  readonly clock: Clock;
  readonly subjectKeys: SubjectKeyStore;
}

export interface FileKeyRing extends KeyRing {
  /** Drops a subject's key from memory; the code that erases the subject must call it. */
  forgetSubject(subject_id: string): void;
  /** Ends the daily destruction of old keys. */
  close(): void;
}

/** The master key is malformed, or is not this folder's. */
export class MasterKeyFault extends Error {
  override readonly name = 'MasterKeyFault';
}

const MASTER_FILE = 'master.key';
const ID_FILE = 'id-secret.key';

/** Key files under one master key: the id secret for ever, one key per day for two days (ADR 0003, E11). */
export function fileKeyRing(options: FileKeyRingOptions): FileKeyRing {
  const files = keyFiles(options.dir);
  const given = options.masterKey;
  const master = secretKey(given ? parseKey('MASTER_KEY', given) : masterFromFile(files));
  const idSecret = findOrMake(ID_FILE);
  const days = dayKeys({ files, clock: options.clock, findOrMake });
  const subjects = subjectKeys(options.subjectKeys, master);

  return {
    idBytes: (scope) => hmac(idSecret, scope),
    dayBytes: (day_of_ms, scope) => hmac(days.keyOf(day_of_ms), scope),
    sealPersonal: (subject_id, plaintext) => subjects.seal(subject_id, plaintext),
    openPersonal: (subject_id, sealed) => subjects.open(subject_id, sealed),
    seal: (context, plaintext) =>
      sealUnder(master, `text:${context}`, Buffer.from(plaintext, 'utf8')),
    open: (context, sealed) => openUnder(master, `text:${context}`, sealed).toString('utf8'),
    witness: (book, line) => files.append(`${book}.witness`, line),
    witnessed: (book) => (files.read(`${book}.witness`) ?? '').split('\n').filter(Boolean),
    forgetSubject: (subject_id) => subjects.forget(subject_id),
    close: () => days.close(),
  };

  function findOrMake(name: string): KeyObject {
    const stored =
      files.read(name) ?? files.keepFirst(name, sealUnder(master, `file:${name}`, newKey()));
    try {
      return secretKey(openUnder(master, `file:${name}`, stored));
    } catch (cause) {
      const hint = 'was it made under another MASTER_KEY?';
      throw new MasterKeyFault(`${name} in ${options.dir} cannot be opened: ${hint}`, { cause });
    }
  }
}

function masterFromFile(files: KeyFiles): Buffer {
  const text = files.read(MASTER_FILE) ?? files.keepFirst(MASTER_FILE, newKey().toString('base64'));
  return parseKey(MASTER_FILE, text);
}

function parseKey(name: string, text: string): Buffer {
  const trimmed = text.trim();
  const key = Buffer.from(trimmed, /^[0-9a-f]{64}$/i.test(trimmed) ? 'hex' : 'base64');
  if (key.length === KEY_BYTES) return key;
  const form = `${KEY_BYTES} bytes, written as 64 hex digits or as base64`;
  throw new MasterKeyFault(`${name} must be ${form}`);
}

const hmac = (key: KeyObject, text: string): Buffer =>
  createHmac('sha256', key).update(text, 'utf8').digest();
