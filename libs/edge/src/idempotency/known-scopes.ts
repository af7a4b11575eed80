import type { Log, Sql } from '@tender/eventing';

/** 1 MiB: of 500,000 keys one new one in 500 is looked up in vain, of 2,000,000 one in 7. */
const BITS = 2 ** 23;
const HASHES = 4;
const PAGE = 10_000;
/** Beyond this, reading them all would cost more than it saves. */
const READ_MAX = 1_000_000;

const NEXT = `select encode(scope, 'hex') as scope from gateway.stored_answers
  where scope > decode($1, 'hex') order by scope limit ${PAGE}`;

/**
 * Which keys were used before, as a Bloom filter over their scopes: its "no" is certain and saves a new key
 * the look-up, without which create-payment serves a fifth less over one connection and an eighth less over 8.
 * Only for a gateway that is alone: what another one has kept is not in it.
 */
export class KnownScopes {
  private readonly bits = new Uint32Array(BITS / 32);
  private complete = false;

  /** Reads what earlier runs have kept; until it has, every key may be known. */
  async read(sql: Sql, log: Log): Promise<void> {
    try {
      let last = '';
      for (let read = 0; read < READ_MAX; read += PAGE) {
        const rows = await sql.query<{ scope: string }>(NEXT, [last]);
        for (const { scope } of rows) this.add(scope);
        last = rows.at(-1)?.scope ?? last;
        if (rows.length < PAGE) {
          this.complete = true;
          return;
        }
      }
    } catch (error) {
      log.warn({ err: error }, 'every Idempotency-Key is looked up: the known ones could not be read');
    }
  }

  /** `scope`: a SHA-256 in hex, whose words serve as the filter's hashes. */
  add(scope: string): void {
    for (const bit of bitsOf(scope)) {
      const word = bit >>> 5;
      this.bits[word] = (this.bits[word] as number) | (1 << (bit & 31));
    }
  }

  mayHold(scope: string): boolean {
    return (
      !this.complete ||
      bitsOf(scope).every((bit) => ((this.bits[bit >>> 5] as number) & (1 << (bit & 31))) !== 0)
    );
  }
}

function bitsOf(scope: string): number[] {
  const bits: number[] = [];
  for (let hash = 0; hash < HASHES; hash += 1) {
    bits.push(Number.parseInt(scope.slice(hash * 8, hash * 8 + 8), 16) % BITS);
  }
  return bits;
}
