import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KeyDestroyed } from '@tender/eventing';
import { fileKeyRing, MasterKeyFault, type FileKeyRing, type SubjectKeyStore } from './file-key-ring';

const HOUR_MS = 3_600_000;
const NOON = Date.parse('2026-11-20T12:00:00Z');

let dir: string;
let now: number;
const opened: FileKeyRing[] = [];

beforeEach(() => {
  dir = join(mkdtempSync(join(tmpdir(), 'key ring-')), 'keys');
  now = NOON;
});

afterEach(() => {
  for (const ring of opened.splice(0)) ring.close();
  rmSync(join(dir, '..'), { recursive: true, force: true });
});

function ring(store: SubjectKeyStore = memoryStore(), masterKey?: string): FileKeyRing {
  const clock = { now: () => now, wall: () => NOON };
  const made = fileKeyRing({ dir, clock, subjectKeys: store, masterKey });
  opened.push(made);
  return made;
}

/** Yields before it answers, as a database does. */
function memoryStore() {
  const rows = new Map<string, string>();
  return {
    rows,
    load: async (id: string) => rows.get(id) ?? null,
    async keep(id: string, wrapped: string) {
      await Promise.resolve();
      if (!rows.has(id)) rows.set(id, wrapped);
      return rows.get(id) as string;
    },
  };
}

describe('the id secret', () => {
  it('is the same after a restart and another one in another folder', () => {
    const first = ring().idBytes('payment|k1|0');
    expect(ring().idBytes('payment|k1|0')).toEqual(first);
    expect(ring().idBytes('payment|k2|0')).not.toEqual(first);
    rmSync(dir, { recursive: true });
    expect(ring().idBytes('payment|k1|0')).not.toEqual(first);
  });
});

describe('the key files', () => {
  it('can be read by their owner only', () => {
    ring().dayBytes(NOON, 'x');
    expect(statSync(dir).mode & 0o777).toBe(0o700);
    const names = readdirSync(dir);
    expect(names.sort()).toEqual(['day-2026-11-20.key', 'id-secret.key', 'master.key']);
    for (const name of names) expect(statSync(join(dir, name)).mode & 0o777).toBe(0o600);
  });

  it('need no master key of their own when one is given, and no other one opens them', () => {
    const masterKey = Buffer.alloc(32, 7).toString('base64');
    const first = ring(memoryStore(), masterKey).idBytes('a');
    expect(readdirSync(dir)).not.toContain('master.key');
    expect(ring(memoryStore(), Buffer.alloc(32, 7).toString('hex')).idBytes('a')).toEqual(first);
    const other = Buffer.alloc(32, 8).toString('base64');
    expect(() => ring(memoryStore(), other)).toThrow(MasterKeyFault);
    expect(() => ring(memoryStore(), other)).toThrow(/another MASTER_KEY\?$/);
  });

  it('refuse a master key of another length without showing it', () => {
    const short = () => ring(memoryStore(), 'too-short');
    expect(short).toThrow(MasterKeyFault);
    expect(short).toThrow(/^MASTER_KEY must be 32 bytes/);
    expect(short).not.toThrow('too-short');
  });
});

describe('the key of a day', () => {
  it('gives the same bytes until 24 h after the day, and none from then on', () => {
    const keys = ring();
    const bytes = keys.dayBytes(NOON, 'api_key|cmd-1');
    now = Date.parse('2026-11-21T23:59:59.999Z');
    expect(keys.dayBytes(NOON, 'api_key|cmd-1')).toEqual(bytes);
    now += 1;
    expect(() => keys.dayBytes(NOON, 'api_key|cmd-1')).toThrow(KeyDestroyed);
    expect(readdirSync(dir)).not.toContain('day-2026-11-20.key');
  });

  it('survives a restart, and dies at the first start after its time', () => {
    const bytes = ring().dayBytes(NOON, 'x');
    now += 20 * HOUR_MS;
    expect(ring().dayBytes(NOON, 'x')).toEqual(bytes);
    now += 48 * HOUR_MS;
    ring();
    expect(readdirSync(dir)).not.toContain('day-2026-11-20.key');
  });

  it('is not made again when the clock is set back', () => {
    const keys = ring();
    keys.dayBytes(NOON, 'x');
    now += 72 * HOUR_MS;
    keys.dayBytes(now, 'x');
    now = NOON;
    expect(() => keys.dayBytes(NOON, 'x')).toThrow(KeyDestroyed);
  });

  it('is another one on another day', () => {
    const keys = ring();
    const bytes = keys.dayBytes(NOON, 'x');
    now += 24 * HOUR_MS;
    expect(keys.dayBytes(now, 'x')).not.toEqual(bytes);
  });
});

describe('personal data', () => {
  it('opens again, also after a restart, and shows nothing while sealed', async () => {
    const store = memoryStore();
    const sealed = await ring(store).sealPersonal('mer_1', 'ada@example.com');
    expect(Buffer.from(sealed.split('.')[1] ?? '', 'base64').toString('latin1')).not.toContain('ada');
    expect(await ring(store).openPersonal('mer_1', sealed)).toBe('ada@example.com');
  });

  it('is sealed under one key when many begin at once, in two processes', async () => {
    const store = memoryStore();
    const [one, two] = [ring(store), ring(store)];
    const sealed = await Promise.all(
      Array.from({ length: 20 }, (_, i) => (i % 2 ? one : two).sealPersonal('mer_1', `text ${i}`)),
    );
    const third = ring(store);
    const texts = await Promise.all(sealed.map((text) => third.openPersonal('mer_1', text)));
    expect(texts).toEqual(sealed.map((_, i) => `text ${i}`));
  });

  it('is gone once the key was erased, also when the subject comes back', async () => {
    const store = memoryStore();
    const keys = ring(store);
    const sealed = await keys.sealPersonal('mer_1', 'secret');
    store.rows.delete('mer_1');
    keys.forgetSubject('mer_1');
    expect(await keys.openPersonal('mer_1', sealed)).toBeNull();
    await keys.sealPersonal('mer_1', 'new');
    expect(await keys.openPersonal('mer_1', sealed)).toBeNull();
  });

  it('does not open for another subject, even with that key in its row', async () => {
    const store = memoryStore();
    await ring(store).sealPersonal('mer_1', 'secret');
    store.rows.set('mer_2', store.rows.get('mer_1') as string);
    await expect(ring(store).sealPersonal('mer_2', 'x')).rejects.toThrow();
  });

  it('asks the store once for all that a new subject is sealed in at the same time', async () => {
    const store = memoryStore();
    const asked: string[] = [];
    const keys = ring({
      load: (id) => {
        asked.push(`load ${id}`);
        return store.load(id);
      },
      keep: (id, wrapped) => {
        asked.push(`keep ${id}`);
        return store.keep(id, wrapped);
      },
    });
    const sealed = await Promise.all(['a', 'b'].map((text) => keys.sealPersonal('mer_1', text)));
    expect(asked).toEqual(['keep mer_1']);
    const other = ring(store);
    const opened = await Promise.all(sealed.map((text) => other.openPersonal('mer_1', text)));
    expect(opened).toEqual(['a', 'b']);
  });

  it('seals under the key that a subject has, after a restart as well', async () => {
    const store = memoryStore();
    const sealed = await ring(store).sealPersonal('mer_1', 'before');
    const stored = new Map(store.rows);
    const restarted = ring(store);
    const resealed = await restarted.sealPersonal('mer_1', 'after');
    expect(store.rows).toEqual(stored);
    expect(await restarted.openPersonal('mer_1', sealed)).toBe('before');
    expect(await ring(store).openPersonal('mer_1', resealed)).toBe('after');
  });

  it('makes a key while the subject is looked for in vain', async () => {
    const store = memoryStore();
    const keys = ring(store);
    const looked = keys.openPersonal('mer_1', 'id.sealed');
    const sealed = await Promise.all(['a', 'b'].map((text) => keys.sealPersonal('mer_1', text)));
    expect(await looked).toBeNull();
    const other = ring(store);
    const opened = await Promise.all(sealed.map((text) => other.openPersonal('mer_1', text)));
    expect(opened).toEqual(['a', 'b']);
  });

  it.each(['load', 'keep'] as const)('asks the store again after a failure to %s', async (failing) => {
    const store = memoryStore();
    const sealed = await ring(store).sealPersonal('mer_1', 'secret');
    let down = true;
    const away = async () => {
      throw new Error('no database');
    };
    const faulty = {
      load: (id: string) => (down && failing === 'load' ? away() : store.load(id)),
      keep: (id: string, key: string) => (down && failing === 'keep' ? away() : store.keep(id, key)),
    };
    const keys = ring(faulty);
    const ask = () =>
      failing === 'load' ? keys.openPersonal('mer_1', sealed) : keys.sealPersonal('mer_1', 'x');
    await expect(ask()).rejects.toThrow('no database');
    down = false;
    await expect(ask()).resolves.toEqual(expect.any(String));
  });
});

describe('sealed text', () => {
  it('opens in its own context only, unaltered only', () => {
    const keys = ring();
    const sealed = keys.seal('webhook|mer_1', 'whsec_abc');
    expect(keys.open('webhook|mer_1', sealed)).toBe('whsec_abc');
    expect(() => keys.open('webhook|mer_2', sealed)).toThrow();
    const altered = Buffer.from(sealed, 'base64');
    altered[altered.length - 1] = (altered.at(-1) as number) ^ 1;
    expect(() => keys.open('webhook|mer_1', altered.toString('base64'))).toThrow();
    expect(readFileSync(join(dir, 'id-secret.key'), 'utf8')).not.toContain('whsec');
  });
});
