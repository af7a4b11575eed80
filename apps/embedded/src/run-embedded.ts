import 'reflect-metadata';
import { banner } from './banner';
import { demoMerchant } from './demo-merchant';
import { readSettings } from './settings';
import { startEmbedded, type EmbeddedProgram, type StartOptions } from './start-embedded';

/** Runs the program until it is told to stop. Says on standard error why it cannot, and what to do. */
export async function runEmbedded(options: StartOptions = {}): Promise<void> {
  const began = performance.now();
  let program: EmbeddedProgram | null = null;
  let stopping = false;
  const stop = async (code: number) => {
    if (stopping) return;
    stopping = true;
    await program?.stop();
    process.exit(code);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop(0));

  try {
    const settings = readSettings(process.env);
    program = await startEmbedded(settings, options);
    if (stopping) {
      await program.stop();
      process.exit(0);
    }
    const demo = settings.test_helpers
      ? await demoMerchant(settings.data_dir, program.url, settings.admin_token)
      : null;
    process.stdout.write(
      banner(program.url, demo, {
        data_dir: settings.data_dir,
        rpc_urls: program.rpc_urls,
        ready_ms: performance.now() - began,
      }),
    );
    process.send?.({
      type: 'ready',
      url: program.url,
      admin_token: settings.admin_token,
      demo: demo && { api_key: demo.api_key, merchant_id: demo.merchant_id },
      postgres: { connection_string: program.connection_string },
      metrics_port: program.metrics_port,
    });
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    await stop(1);
  }
}

/** What a person can mend is one sentence; what only we can mend keeps its stack. */
function explain(error: unknown): string {
  const { code, name, message, stack } = error as NodeJS.ErrnoException;
  const known = KNOWN_FAULTS[code ?? name];
  if (known) return `Tender cannot start: ${message}. ${known}`.replace(/([.?])\. /, '$1 ');
  return `Tender cannot start: ${stack ?? message ?? String(error)}`;
}

const KNOWN_FAULTS: Readonly<Record<string, string>> = {
  SettingsFault: 'The README lists what each setting takes.',
  MasterKeyFault: 'Give the MASTER_KEY that DATA_DIR began with, or none if it began with none.',
  AlreadyRunning: 'Stop the other one, or name another DATA_DIR.',
  LogIsTaken: 'Stop the other one, or name another DATABASE_URL.',
  EADDRINUSE: 'Stop what listens there, or name another PORT or METRICS_PORT.',
  EACCES: 'Name another PORT, METRICS_PORT or DATA_DIR.',
  EADDRNOTAVAIL: 'HOST must be an address of this machine.',
  ENOTFOUND: 'Check HOST and DATABASE_URL.',
  ECONNREFUSED: 'Check that the server of DATABASE_URL runs.',
};
