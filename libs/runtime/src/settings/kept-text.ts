import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

/** What the file holds; made once, readable by its owner alone, and the same for processes that start together. */
export function keptText(file: string, make: () => string): string {
  if (!existsSync(file)) {
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, make(), { mode: 0o600 });
    try {
      // A link, unlike a rename, fails when the name is taken.
      linkSync(draft, file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      rmSync(draft);
    }
  }
  return readFileSync(file, 'utf8').trim();
}
