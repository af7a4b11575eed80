import { keyRingTables, postgresReadModels, type PostgresReadModels } from '@tender/adapter-postgres';
import { silentLog, startTestPostgres, type TestPostgres } from '@tender/adapter-postgres/testing';
import { run } from '../run';
import { CONTEXTS } from '../system';
import type { Terminal } from '../terminal/terminal';
import { writePaymentLog } from './payment-log';

const OWNERS = [...CONTEXTS, keyRingTables];

/** For each test a database with the tables of every context, and `tender` beside it. */
export class OpsStage {
  database_url = '';
  /** What a person at the terminal answers; null: there is no terminal. */
  answer: string | null = null;
  asked: string[] = [];
  readModels!: PostgresReadModels;
  private server!: TestPostgres;

  constructor() {
    beforeAll(async () => {
      this.server = await startTestPostgres();
    });
    afterAll(() => this.server.stop());
    beforeEach(async () => {
      this.answer = null;
      this.asked = [];
      this.database_url = await this.server.database();
      this.readModels = postgresReadModels({
        connectionString: this.database_url,
        schemas: OWNERS.map(({ schema }) => schema),
        migrations: OWNERS.flatMap(({ migrations }) => migrations),
        log: silentLog,
        pool_max: 4,
      });
      await this.readModels.start();
    });
    afterEach(() => this.readModels.close());
  }

  /** `tender …` in this process; answers what it said. */
  async tender(line: string, more: readonly string[] = [], settings: NodeJS.ProcessEnv = {}) {
    const said: string[] = [];
    const complaints: string[] = [];
    const terminal: Terminal = {
      ...{ is_terminal: this.answer !== null, can_ask: this.answer !== null },
      ...{ colours: false, width: Infinity },
      say: (text) => void said.push(text),
      complain: (text) => void complaints.push(text),
      ask: async (question) => {
        this.asked.push(question);
        return this.answer ?? '';
      },
      draw: () => undefined,
      now: () => performance.now(),
      onInterrupt: () => undefined,
    };
    const env = { DATABASE_URL: this.database_url, ...settings };
    const code = await run([...line.split(' '), ...more], env, terminal);
    return { code, said, complaints };
  }

  writeLog(payments: number) {
    return writePaymentLog(this.readModels, this.database_url, payments);
  }
}
