// What lets other containers find the chains: an address they reach, URLs they can resolve, a file that says so.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createConnection } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { callRpc } from './call-rpc';
import { optionsFrom, variablesOf } from './environment';
import { startLocalnet, type Localnet, type LocalnetNetworks } from './localnet';

describe('a local chain for other machines', () => {
  let folder: string;
  let localnet: Localnet | null = null;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'localnet-networks-'));
  });
  afterEach(async () => {
    await localnet?.close();
    localnet = null;
    rmSync(folder, { recursive: true });
  });

  const outside = Object.values(networkInterfaces())
    .flat()
    .find((one) => one?.family === 'IPv4' && !one.internal)?.address;

  function reaches(host: string, port: number): Promise<boolean> {
    return new Promise((resolve) => {
      const socket = createConnection({ host, port });
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
  }

  const start = async (variables: Record<string, string> = {}) => {
    localnet = await startLocalnet(optionsFrom({ LOCALNET_DATA_DIR: folder, ...variables }));
    return localnet.networks;
  };

  it('writes its networks into a file, with the host of its settings, and they work', async () => {
    const file = join(folder, 'networks.json');
    const networks = await start({
      LOCALNET_HOST: '0.0.0.0',
      LOCALNET_PUBLIC_HOST: 'localhost',
      LOCALNET_NETWORKS_FILE: file,
    });
    const found = JSON.parse(readFileSync(file, 'utf8')) as LocalnetNetworks;
    expect(found).toEqual(networks);
    expect(new URL(found.test.rpc_url).hostname).toBe('localhost');
    expect(await callRpc(found.test.rpc_url, 'getGenesisHash')).toBe(found.test.genesis_hash);
    const port = Number(new URL(found.live.rpc_url).port);
    if (outside) expect(await reaches(outside, port)).toBe(true);
  });

  it('is reached from this machine alone by default', async () => {
    const { test } = await start();
    const { hostname, port } = new URL(test.rpc_url);
    expect(hostname).toBe('127.0.0.1');
    expect(await reaches('127.0.0.1', Number(port))).toBe(true);
    if (outside) expect(await reaches(outside, Number(port))).toBe(false);
  });

  it('passes the same settings on to a child process', () => {
    const options = { dataDir: folder, host: '0.0.0.0', publicHost: 'localnet', networksFile: 'n.json' };
    expect(optionsFrom(variablesOf(options))).toEqual(options);
  });
});
