import { createHash, type KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { newKey } from './key-files';
import { openUnder, sealUnder, secretKey } from './sealing';

/** Where the wrapped keys of subjects are kept. To erase a subject is to delete its row there. */
export interface SubjectKeyStore {
  /** Null when there is none, or no longer. */
  load(subject_id: string): Promise<string | null>;
  /** Stores `wrapped` unless the subject has a key already, and answers the one that is stored then. */
  keep(subject_id: string, wrapped: string): Promise<string>;
}

export interface SubjectKeys {
  seal(subject_id: string, plaintext: string): Promise<string>;
  open(subject_id: string, sealed: string): Promise<string | null>;
  /** Drops the key from memory; the code that erases a subject must call it. */
  forget(subject_id: string): void;
}

interface SubjectKey {
  readonly key: KeyObject;
  /** Tells keys apart without showing anything of them. */
  readonly id: string;
}

const HELD_MAX = 10_000;
/** Another process may erase a subject: a key is looked up again after this time. */
const HELD_MS = 30_000;
const KEY_ID_CHARACTERS = 12;

/** A random key per subject, wrapped by the master key with the subject's id bound to it (E11). */
export function subjectKeys(store: SubjectKeyStore, master: KeyObject): SubjectKeys {
  const held = new LRUCache<string, Promise<SubjectKey | null>>({ max: HELD_MAX, ttl: HELD_MS });

  return {
    async seal(subject_id, plaintext) {
      const known = held.get(subject_id);
      const { id, key } = (known && (await known)) ?? (await make(subject_id));
      return `${id}.${sealUnder(key, subject_id, Buffer.from(plaintext, 'utf8'))}`;
    },
    async open(subject_id, sealed) {
      const [id, body] = sealed.split('.', 2) as [string, string];
      const known = await (held.get(subject_id) ?? hold(subject_id, load(subject_id)));
      // A subject that was erased and came back has another key; what was sealed before stays erased.
      if (known?.id !== id) return null;
      return openUnder(known.key, subject_id, body).toString('utf8');
    },
    forget: (subject_id) => void held.delete(subject_id),
  };

  /** Remembers what is found; a failure and the absence of a key are asked for again. */
  function hold<Found extends SubjectKey | null>(
    subject_id: string,
    found: Promise<Found>,
  ): Promise<Found> {
    const drop = () => {
      if (held.peek(subject_id) === found) held.delete(subject_id);
    };
    held.set(subject_id, found);
    found.then((key) => key ?? drop(), drop);
    return found;
  }

  async function load(subject_id: string): Promise<SubjectKey | null> {
    const wrapped = await store.load(subject_id);
    return wrapped === null ? null : unwrap(subject_id, wrapped);
  }

  /** Makes a key, or finds the one that is stored, in one question: most subjects that are not held are new. */
  function make(subject_id: string): Promise<SubjectKey> {
    return hold(subject_id, keep(subject_id, sealUnder(master, contextOf(subject_id), newKey())));
  }

  async function keep(subject_id: string, wrapped: string): Promise<SubjectKey> {
    return unwrap(subject_id, await store.keep(subject_id, wrapped));
  }

  function unwrap(subject_id: string, wrapped: string): SubjectKey {
    const bytes = openUnder(master, contextOf(subject_id), wrapped);
    return { id: keyId(bytes), key: secretKey(bytes) };
  }
}

const contextOf = (subject_id: string): string => `subject:${subject_id}`;

const keyId = (key: Buffer): string =>
  createHash('sha256').update('subject-key').update(key).digest('hex').slice(0, KEY_ID_CHARACTERS);
