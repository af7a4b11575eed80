import { writeSync } from 'node:fs';
import { Pool } from 'pg';
import { Limiter } from '../limits/limiter';
import { storedLimitBlocks } from '../limits/limit-block.record';

// A gateway's limiter in a process of its own, to be killed: a line for every request that it lets in.
const [connectionString = '', bucket = '', limit = ''] = process.argv.slice(2);

async function admitForEver(): Promise<void> {
  const pool = new Pool({ connectionString, max: 2 });
  const limiter = new Limiter({
    clock: { wall: () => Date.now() },
    gateway: `process ${process.pid}`,
    refuses: true,
    blocks: storedLimitBlocks({
      async query<Row>(text: string, values?: readonly unknown[]) {
        return (await pool.query(text, values && [...values])).rows as Row[];
      },
    }),
  });
  for (;;) {
    const { admitted } = await limiter.admit(bucket, Number(limit));
    writeSync(1, admitted ? 'in\n' : 'out\n');
    if (!admitted) await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

void admitForEver();
