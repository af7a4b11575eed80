import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { silentLog } from '@tender/adapter-memory';
import { realDelays } from '@tender/adapter-postgres';
import { startPostgres } from '@tender/adapter-postgres-server';
import { Client } from 'pg';
import { keepRunning, type ChildNews } from './keep-running';

const query = async (connectionString: string, text: string): Promise<unknown[]> => {
  const client = new Client({ connectionString });
  await client.connect();
  return client.query(text).then(({ rows }) => rows).finally(() => client.end());
};

test('Postgres is started again at its port when it is killed, and stays ended when it was stopped', async () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'tender-kept-'));
  const news: ChildNews[] = [];
  const tell = (one: ChildNews) => void news.push(one);
  const giveUp = ({ message: how }: Error) => tell({ type: 'ended', name: 'postgres', pid: null, how });
  const over = new AbortController().signal;
  const keep = keepRunning({ delays: realDelays, over, tell, giveUp });
  const server = await startPostgres({ dataDir, log: silentLog, keep });
  const { connectionString, pid } = server;
  try {
    await query(connectionString, 'create table kept as select 1 as n');
    process.kill(pid as number, 'SIGKILL');
    while (news.length < 3) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await query(connectionString, 'select n from kept')).toEqual([{ n: 1 }]);
    expect(server.pid).not.toBe(pid);
    const [, ended, serving] = news;
    expect(ended).toMatchObject({ type: 'ended', name: 'postgres', pid, how: 'SIGKILL' });
    expect(serving).toMatchObject({ type: 'serving', pid: server.pid });
  } finally {
    await server.stop();
    rmSync(dataDir, { recursive: true });
  }
  await expect(query(connectionString, 'select 1')).rejects.toThrow('ECONNREFUSED');
});
