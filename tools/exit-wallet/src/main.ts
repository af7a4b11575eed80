import { ExitFault } from './exit-fault';
import { exitWallet } from './exit-wallet';
import { NodeRefused, NodeSilent } from './node';
import { readOptions } from './options';

async function run(args: readonly string[]): Promise<void> {
  try {
    await exitWallet(readOptions(args));
  } catch (error) {
    const is_told = [ExitFault, NodeRefused, NodeSilent].some((kind) => error instanceof kind);
    if (!is_told) throw error;
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = 1;
  }
}

void run(process.argv.slice(2));
