import { MODES } from '@tender/kernel';
import bs58 from 'bs58';
import { optionsFrom } from './environment';
import { WALLETS } from './ledger/genesis';
import { startLocalnet, type Localnet } from './localnet';

const DEFAULT_PORTS = { test: 8899, live: 8901 };

function describe({ networks, ledgers }: Localnet): string {
  const lines = MODES.flatMap((mode) => {
    const { rpc_url: rpc, ws_url: websocket, mints } = networks[mode];
    const wallets = WALLETS.map((name) => {
      const { publicKey, secretKey } = ledgers[mode].genesis.wallets[name];
      return `  ${name.padEnd(14)}${publicKey.toBase58()}  secret ${bs58.encode(secretKey)}`;
    });
    const head = `${mode}  ${rpc}  ${websocket}`;
    return [head, `  USDC          ${mints.USDC}`, `  USDT          ${mints.USDT}`, ...wallets, ''];
  });
  const warning = 'THROW-AWAY KEYS of a local chain: never send real money to these wallets.';
  return [...lines, warning, ''].join('\n');
}

async function main(): Promise<void> {
  const supervised = process.send !== undefined;
  const options = optionsFrom(process.env);
  const localnet = await startLocalnet(
    supervised ? options : { ...options, preferredPorts: DEFAULT_PORTS },
  );
  let stopping = false;
  const stop = () => {
    if (stopping) return;
    stopping = true;
    void localnet.close().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`localnet: ${String(error)}\n`);
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  if (supervised) {
    // Ctrl-C reaches the whole process group; the parent decides when its chain stops.
    process.on('SIGINT', () => undefined);
    process.on('disconnect', stop);
    if (process.connected) process.send?.({ type: 'ready', networks: localnet.networks });
    else stop();
  } else {
    process.on('SIGINT', stop);
    process.stdout.write(describe(localnet));
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`localnet: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
