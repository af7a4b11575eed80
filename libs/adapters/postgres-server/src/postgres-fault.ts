/** The server of the data folder does not start: what it says itself, in one sentence, and what to do. */
export class PostgresFault extends Error {
  override readonly name = 'PostgresFault';

  constructor(what: string, words: string) {
    super(`${what}: ${reasonIn(words)}. Name another DATA_DIR, or set DATABASE_URL to a server.`);
  }
}

/** The last complaint among what Postgres has said, else its last line. */
function reasonIn(words: string): string {
  const lines = words.split('\n').filter(Boolean);
  const complaints = lines.flatMap((line) => /(?:FATAL|PANIC|error): +(.*)/.exec(line)?.[1] ?? []);
  return complaints.at(-1) ?? lines.at(-1) ?? 'it says nothing';
}
