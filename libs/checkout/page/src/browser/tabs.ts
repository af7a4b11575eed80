import { memory } from './memory';

const STORE = 'agreed';
/** Some browsers never open a database, and never say so. */
const PATIENCE_MS = 5_000;

/**
 * The text that all tabs of this browser have under that name: the first one that any of them has said. `localStorage`
 * is not enough: what one tab writes may come to another one later than the lock for which that one has waited.
 * It does where there is no database.
 */
export const agreedByTabs = (name: string, said: string): Promise<string> =>
  inDatabase<string>((kept, agree) => {
    const asked = kept.get(name) as IDBRequest<string | undefined>;
    asked.onsuccess = () => {
      if (asked.result === undefined) kept.put(said, name);
      agree(asked.result ?? said);
    };
  }).catch(() => {
    const known = memory.read(name) ?? said;
    memory.write(name, known);
    return known;
  });

/** The next text that a tab says under that name is the one that all have. */
export async function forgetAgreed(name: string): Promise<void> {
  memory.forget(name);
  await inDatabase((kept) => kept.delete(name)).catch(() => undefined);
}

/** What `work` has come to, once it is kept. Rejects where there is no database, or none that opens. */
function inDatabase<Value>(
  work: (kept: IDBObjectStore, result: (value: Value) => void) => void,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open('tender');
    setTimeout(reject, PATIENCE_MS);
    opening.onerror = reject;
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
    opening.onsuccess = () => {
      const database = opening.result;
      let found: Value;
      const change = database.transaction(STORE, 'readwrite');
      change.oncomplete = () => resolve(found);
      change.onabort = reject;
      work(change.objectStore(STORE), (value) => (found = value));
      // Once all is done.
      database.close();
    };
  });
}
