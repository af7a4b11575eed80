import { postgresReadModels, type PostgresReadModels } from '@tender/adapter-postgres';
import { silentLog, startTestPostgres, type TestPostgres } from '@tender/adapter-postgres/testing';
import { run } from '../run';
import { CONTEXTS } from '../system';
import type { Terminal } from '../terminal/terminal';
import { writePaymentLog } from './payment-log';

/** For each test a database with the tables of every context, and `tender` beside it. */
export class OpsStage {
  database_url = '';
  readModels!: PostgresReadModels;
  private server!: TestPostgres;

  constructor() {
    beforeAll(async () => {
      this.server = await startTestPostgres();
    });
    afterAll(() => this.server.stop());
    beforeEach(async () => {
      this.database_url = await this.server.database();
      this.readModels = postgresReadModels({
        connectionString: this.database_url,
        schemas: CONTEXTS.map(({ schema }) => schema),
        migrations: CONTEXTS.flatMap(({ migrations }) => migrations),
        log: silentLog,
        pool_max: 4,
      });
      await this.readModels.start();
    });
    afterEach(() => this.readModels.close());
  }

  /** `tender …` in this process; answers what it said. */
  async tender(line: string, more: readonly string[] = []) {
    const said: string[] = [];
    const complaints: string[] = [];
    const terminal: Terminal = {
      ...{ is_terminal: false, colours: false, width: Infinity },
      say: (text) => void said.push(text),
      complain: (text) => void complaints.push(text),
      draw: () => undefined,
      now: () => performance.now(),
      onInterrupt: () => undefined,
    };
    const env = { DATABASE_URL: this.database_url };
    const code = await run([...line.split(' '), ...more], env, terminal);
    return { code, said, complaints };
  }

  writeLog(payments: number) {
    return writePaymentLog(this.readModels, this.database_url, payments);
  }
}
