import type { Clock } from '@tender/kernel';
import type { ReadModels } from '@tender/eventing';

interface AnswerRow {
  scope: string;
  generation: number;
  fingerprint: string;
  answered_at: number;
  sealed: string | null;
}
type Holdings = Record<string, { units: number; counts_until: number }>;

/**
 * The two tables of the edge in memory, for specs that must not wait for a database. It knows the statements
 * by their first words and does what they say; the slice spec runs the same statements on Postgres.
 */
export class MemoryTables {
  readonly answers = new Map<string, AnswerRow>();
  readonly holdings = new Map<string, Holdings>();
  readonly statements: string[] = [];
  fails = false;

  constructor(private readonly clock: Pick<Clock, 'wall'>) {}

  readonly query = async (text: string, values: readonly unknown[] = []): Promise<never[]> => {
    await Promise.resolve();
    if (this.fails) throw new Error('the database is away');
    this.statements.push(text);
    return this.run(text, values) as never[];
  };

  get readModels(): ReadModels {
    return { query: this.query } as unknown as ReadModels;
  }

  private run(text: string, values: readonly unknown[]): unknown[] {
    if (text.startsWith('select encode(scope')) return this.find(values[0] as string[]);
    if (text.startsWith('insert into gateway.stored_answers')) return this.write(values as unknown[][]);
    if (text.startsWith('update gateway.stored_answers')) return this.forget(values[0] as number);
    if (text.trimStart().startsWith('delete from gateway.limit_blocks')) return [];
    return this.buy(values as Parameters<MemoryTables['buy']>[0]);
  }

  private find(scopes: string[]): AnswerRow[] {
    return scopes.flatMap((scope) => this.answers.get(scope.replace('\\x', '')) ?? []);
  }

  private write(columns: readonly unknown[][]): never[] {
    const names = ['scope', 'generation', 'fingerprint', 'answered_at', 'sealed'];
    const rows = (columns[0] ?? []).map((_, at) =>
      Object.fromEntries(names.map((name, column) => [name, columns[column]?.[at]])),
    );
    for (const row of rows as unknown as AnswerRow[]) {
      const known = this.answers.get(row.scope);
      if (!known || known.generation < row.generation) this.answers.set(row.scope, row);
    }
    return [];
  }

  private forget(before: number): never[] {
    for (const row of this.answers.values()) if (row.answered_at <= before) row.sealed = null;
    return [];
  }

  private buy([bucket, gateway, used, wanted, limit, counts_ms]: [
    string, string, number, number, number, number,
  ]): { holdings: Holdings }[] {
    const now = this.clock.wall();
    const known = Object.entries(this.holdings.get(bucket) ?? {});
    const others = known.filter(([owner, held]) => owner !== gateway && held.counts_until > now);
    const taken = others.reduce((sum, [, { units }]) => sum + units, 0);
    const units = Math.max(used, Math.min(wanted, limit - taken));
    const holdings = {
      ...Object.fromEntries(others),
      [gateway]: { units, counts_until: now + counts_ms },
    };
    this.holdings.set(bucket, holdings);
    return [{ holdings }];
  }
}
