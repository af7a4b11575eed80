import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../../..');

/** A public event as its context has said it; specs of the contexts hold them to that. */
export interface RecordedFact {
  readonly type: string;
  readonly data: object;
}

/** What the contexts have recorded of their public events, in the order of the files. */
export function recordedFacts(): readonly RecordedFact[] {
  const files = globSync('libs/*/features/src/recorded/*-public-v1.json', { cwd: ROOT }).sort();
  return files.flatMap((file) =>
    recordsIn(JSON.parse(readFileSync(path.join(ROOT, file), 'utf8'))),
  );
}

/** Histories are lists or named, and a private event stands in them as null. */
function recordsIn(json: unknown): readonly RecordedFact[] {
  if (typeof json !== 'object' || json === null) return [];
  const { type, data } = json as { readonly type?: unknown; readonly data?: unknown };
  if (typeof type === 'string' && typeof data === 'object' && data !== null) return [{ type, data }];
  return Object.values(json).flatMap(recordsIn);
}
