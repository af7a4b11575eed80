import { setTimeout as pause } from 'node:timers/promises';
import { postgresEventStore, postgresReadModels, type PostgresReadModels } from '@tender/adapter-postgres';
import { silentLog, startTestPostgres, systemClock, type TestPostgres } from '@tender/adapter-postgres/testing';
import { followProjections } from '@tender/eventing';
import { MIGRATIONS, SCHEMAS } from '../owners';
import { run } from '../run';
import { CONTEXTS } from '../system';
import type { Terminal } from '../terminal/terminal';
import { writePaymentLog } from './payment-log';

/** For each test a database with the tables of every context, and `tender` beside it. */
export class OpsStage {
  database_url = '';
  /** What a person at the terminal answers; null: there is no terminal. */
  answer: string | null = null;
  private interrupted = false;
  asked: string[] = [];
  /** What happens while a question stands. */
  meanwhile: () => Promise<unknown> = () => Promise.resolve();
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
      this.meanwhile = () => Promise.resolve();
      this.database_url = await this.server.database();
      this.readModels = postgresReadModels({
        connectionString: this.database_url,
        ...{ schemas: SCHEMAS, migrations: MIGRATIONS },
        log: silentLog,
        pool_max: 4,
      });
      await this.readModels.start();
    });
    afterEach(() => this.readModels.close());
  }

  /** `tender …` in this process; answers what it said, and on `top` which system it looked at. */
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
        await this.meanwhile();
        const answer = this.interrupted ? null : this.answer;
        this.interrupted = false;
        return answer;
      },
      draw: () => undefined,
      now: () => performance.now(),
      onInterrupt: () => undefined,
    };
    const env = { DATABASE_URL: this.database_url, ...settings };
    const code = await run([...line.split(' '), ...more], env, terminal);
    const about = this.answer === null ? said[0]?.startsWith('{"line":"system"') : said.includes('');
    const top = said.splice(0, about ? (this.answer === null ? 1 : said.indexOf('') + 1) : 0);
    return { code, said, complaints, top };
  }

  /** The service payments follows the log to its end, and stops. */
  async followPayments(): Promise<void> {
    const { readModels, database_url: connectionString } = this;
    const store = postgresEventStore({ connectionString, clock: systemClock, log: silentLog });
    await store.start();
    const { schema, projections } = CONTEXTS.find(({ name }) => name === 'payments')!;
    const options = { eventStore: store, readModels, schema, projections, log: silentLog };
    const followers = followProjections(options);
    await followers.start();
    await followers.idle();
    await followers.stop();
    await store.close();
  }

  /** Postgres has seen the end of every replay that was killed. */
  async replaysEnded(): Promise<void> {
    const replays = `select 1 from pg_stat_activity
      where datname = current_database() and application_name like 'tender replay %'`;
    while ((await this.readModels.query(replays)).length > 0) await pause(10);
  }

  /** At the next question the person presses Ctrl-C. */
  interrupt(): void {
    this.interrupted = true;
  }

  writeLog(payments: number) {
    return writePaymentLog(this.readModels, this.database_url, payments);
  }
}
