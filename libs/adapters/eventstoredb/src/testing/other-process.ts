import { spawn } from 'node:child_process';
import { ROOT, type DoubleOfTest } from './store-of-test';

/** Four writers in a process of their own, on a shared stream and on their own. Answers with the ids. */
export function writeElsewhere(server: DoubleOfTest, number: number): Promise<string[]> {
  const script = `
    const { eventStoreDb } = require('@tender/adapter-eventstoredb');
    const { sampleEvent } = require('@tender/eventing/testing');
    const quiet = { info() {}, warn() {}, error() {} };
    const store = eventStoreDb({
      connectionString: process.argv[1], clock: { wall: Date.now }, log: quiet,
      append_timeout_ms: 300_000, read_timeout_ms: 300_000,
    });
    const write = async (writer) => {
      for (let turn = 0; turn < 12; turn += 1) {
        const stream = turn % 2 ? 'note.test-shared' : 'note.test-' + process.argv[2] + '-' + writer;
        const event = sampleEvent(stream, { turn }, { id: crypto.randomUUID() });
        let last = (await store.load(stream)).at(-1)?.revision ?? null;
        for (;;) {
          const appended = await store.append(stream, [event], last ?? 'no_stream');
          if (appended.ok) break;
          last = appended.actual;
        }
        process.stdout.write(event.metadata.id + '\\n');
      }
    };
    store.start().then(() => Promise.all([0, 1, 2, 3].map(write))).then(() => process.exit(0));`;
  const { connection_string } = server.double;
  const from_source = ['--conditions=source', '-r', './scripts/typescript-hook.cjs'];
  const args = [...from_source, '-e', script, connection_string, String(number)];
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  return new Promise((resolve, reject) => {
    child.once('exit', (code) =>
      code === 0 ? resolve(out.trim().split('\n')) : reject(new Error(`a writer ended (${code})`)),
    );
  });
}
