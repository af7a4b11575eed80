// The switches that only a local chain has, and what subscribers hear.
import { setTimeout as pause } from 'node:timers/promises';
import { Keypair, type Logs } from '@solana/web3.js';
import { WebSocket } from 'ws';
import { callRpc } from './call-rpc';
import { ChainFixture, LASTING_BLOCKS } from './testing/chain-fixture';

const HOUR_MS = 3_600_000;
const SLOT_MS = 100;
type Slots = { slots: { confirmed: number; finalized: number } };

describe('control methods', () => {
  let chain: ChainFixture;
  beforeEach(async () => {
    chain = await ChainFixture.open({ slotMs: SLOT_MS, blockhashBlocks: LASTING_BLOCKS });
  });
  afterEach(() => chain.close());

  const post = (body: object) =>
    fetch(chain.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const until = async (condition: () => Promise<boolean> | boolean) => {
    while (!(await condition())) await pause(20);
  };

  it('setTimeOffset moves block times forwards, never back, and survives a restart', async () => {
    const asked_ms = Date.now();
    const moved = await chain.call('localnet_setTimeOffset', { offset_ms: HOUR_MS });
    expect(moved).toMatchObject({ moved: true, offset_ms: HOUR_MS });
    expect(await chain.call('localnet_setTimeOffset', { offset_ms: 1_000 })).toMatchObject({
      moved: false, offset_ms: HOUR_MS,
    });
    await chain.restart();
    expect(await chain.call('localnet_stats')).toMatchObject({ offset_ms: HOUR_MS });
    await chain.call('localnet_warpSlots', { slots: 1 });
    const slot = await chain.connection.getSlot('confirmed');
    const time = (await chain.connection.getBlockTime(slot)) ?? 0;
    expect(time).toBeGreaterThanOrEqual(Math.floor((asked_ms + HOUR_MS) / 1_000));
  });

  it.each([
    ['a year ahead', 31_536_000],
    ['a minute ahead', 60],
    ['now', 0],
    ['an hour ago', -3_600],
  ])('advance: both watermarks have a block of the time wanted: %s', async (_, seconds) => {
    const wanted = Math.floor(Date.now() / 1_000) + seconds;
    const { slots } = await chain.call<Slots>('localnet_advance', { to_unix_seconds: wanted });
    for (const commitment of ['confirmed', 'finalized'] as const) {
      const slot = await chain.connection.getSlot(commitment);
      expect(slot).toBeGreaterThanOrEqual(slots[commitment]);
      const time = await chain.connection.getBlockTime(slot);
      expect(time).toBeGreaterThanOrEqual(seconds < 0 ? 0 : wanted);
      const block = await chain.call<{ blockTime: number }>('getBlock', slot, { commitment });
      expect(block.blockTime).toBe(time);
    }
  });

  it('advance finalizes what was sent before it, with few blocks to read', async () => {
    const payer = await chain.wallet();
    const signature = await chain.send(await chain.anyTransaction(payer));
    const began_ms = performance.now();
    const from = await chain.connection.getSlot('processed');
    const tomorrow = Math.floor(Date.now() / 1_000) + 86_400;
    await chain.call('localnet_advance', { to_unix_seconds: tomorrow });
    const { value } = await chain.connection.getSignatureStatus(signature);
    expect(value?.confirmationStatus).toBe('finalized');
    const blocks = await chain.connection.getBlocks(from, undefined, 'finalized');
    const passed_by_themselves = (performance.now() - began_ms) / SLOT_MS;
    expect(blocks.length).toBeLessThan(100 + passed_by_themselves);
    const read = (slot: number) => chain.call<{ blockTime: number }>('getBlock', slot);
    const times = await Promise.all(blocks.map(async (slot) => (await read(slot)).blockTime));
    expect(times).toEqual([...times].sort((a, b) => a - b));
  });

  it('faucet: real transactions in the history, token account included', async () => {
    const address = Keypair.generate().publicKey;
    const wanted = { USDC: '1500000', USDT: '7', SOL: '890880' };
    for (const [token, amount] of Object.entries(wanted)) {
      const { signature } = await chain.call<{ signature: string }>('localnet_faucet', {
        address: address.toBase58(), token, amount,
      });
      await chain.finalize();
      expect((await chain.connection.getTransaction(signature))?.meta?.err).toBeNull();
    }
    expect(await chain.usdcBalance(address)).toBe(1_500_000n);
    expect(await chain.connection.getBalance(address)).toBe(890_880);
    await expect(
      chain.call('localnet_faucet', { address: address.toBase58(), token: 'EUR', amount: '1' }),
    ).rejects.toMatchObject({ code: -32602 });
    await expect(
      chain.call('localnet_faucet', { address: address.toBase58(), token: 'USDC', amount: '1.5' }),
    ).rejects.toMatchObject({ code: -32602 });
  });

  it('setTokenBalance and setAccount: no history, the supply follows', async () => {
    const address = Keypair.generate().publicKey;
    const supply = async () => (await chain.connection.getTokenSupply(chain.usdc)).value.amount;
    const before = BigInt(await supply());
    for (const amount of ['900', '250']) {
      await chain.call('localnet_setTokenBalance', {
        address: address.toBase58(), token: 'USDC', amount,
      });
    }
    await chain.call('localnet_setAccount', { address: address.toBase58(), lamports: '5' });
    await chain.restart();
    expect(await chain.usdcBalance(address)).toBe(250n);
    expect(BigInt(await supply())).toBe(before + 250n);
    expect(await chain.connection.getBalance(address)).toBe(5);
    expect(await chain.connection.getSignaturesForAddress(address)).toEqual([]);
  });

  it('dropNextSend: a signature for the sender, nothing for the chain', async () => {
    const payer = await chain.wallet();
    const bytes = await chain.anyTransaction(payer);
    await chain.call('localnet_dropNextSend', { count: 1 });
    const signature = await chain.send(bytes);
    const status = async () => (await chain.connection.getSignatureStatus(signature)).value;
    expect(await status()).toBeNull();
    await chain.send(bytes);
    expect((await status())?.err).toBeNull();
  });

  it('failRpc: so many calls of one method fail, with code or HTTP status', async () => {
    await chain.call('localnet_failRpc', { method: 'getSlot', count: 2, code: -32005 });
    await chain.call('localnet_failRpc', { method: 'getBlock', count: 1, http_status: 429 });
    const slot = () => chain.call('getSlot');
    await expect(slot()).rejects.toMatchObject({ code: -32005 });
    expect(await chain.call('getHealth')).toBe('ok');
    await expect(slot()).rejects.toMatchObject({ code: -32005 });
    expect(await slot()).toEqual(expect.any(Number));
    const batch = [{ jsonrpc: '2.0', id: 1, method: 'getBlock', params: [1_000] }];
    expect((await post(batch)).status).toBe(429);
    expect((await post(batch)).status).toBe(200);
  });

  it('delayRpc: answers of others wait, control methods do not', async () => {
    // A control method that took longer by itself says nothing: then the delay was too short to tell.
    for (let ms = 300, took_ms = Infinity; took_ms >= ms; ms *= 2) {
      await chain.call('localnet_delayRpc', { ms });
      const order: string[] = [];
      const began_ms = performance.now();
      const delayed = chain.call('getHealth').then(() => order.push('getHealth'));
      await chain.call('localnet_stats').then(() => order.push('localnet_stats'));
      took_ms = performance.now() - began_ms;
      await delayed;
      // Timers may be a little early.
      expect(performance.now() - began_ms).toBeGreaterThan(ms - 5);
      if (took_ms < ms) expect(order).toEqual(['localnet_stats', 'getHealth']);
    }
    await chain.call('localnet_delayRpc', { ms: 0 });
  });

  it('lagNode: this node has not seen the newest slots', async () => {
    const payer = await chain.wallet();
    await chain.finalize();
    await chain.call('localnet_lagNode', { slots: 1_000_000 });
    const before = await chain.connection.getSlot('confirmed');
    const signature = await chain.send(await chain.anyTransaction(payer), true);
    const seen = async () => (await chain.connection.getSignatureStatus(signature)).value;
    expect(await seen()).toBeNull();
    const read = chain.connection.getTransaction(signature, { commitment: 'confirmed' });
    expect(await read).toBeNull();
    await chain.call('localnet_lagNode', { slots: 0 });
    expect((await seen())?.slot).toBeGreaterThan(before);
  });

  it('stats counts requests by method, of this chain only', async () => {
    await chain.call('getSlot');
    await chain.call('getSlot');
    await callRpc(chain.localnet.networks.live.rpc_url, 'getSlot');
    const { requests } = await chain.call<{ requests: Record<string, number> }>('localnet_stats');
    expect(requests).toEqual({ getSlot: 2, localnet_stats: 1 });
  });

  it('logs subscribers hear each level once, in order', async () => {
    const payer = await chain.wallet();
    const reference = Keypair.generate().publicKey;
    const heard: string[] = [];
    const { connection } = chain;
    for (const commitment of ['processed', 'confirmed', 'finalized'] as const) {
      const hear = ({ signature, err }: Logs) =>
        heard.push(`${commitment} ${signature} ${JSON.stringify(err)}`);
      connection.onLogs(reference, hear, commitment);
    }
    const subscribed = async () => {
      type Stats = { requests: Record<string, number> };
      const { requests } = await chain.call<Stats>('localnet_stats');
      return requests['logsSubscribe'] === 3;
    };
    await until(subscribed);
    const payment = chain.payment(payer.publicKey, payer.publicKey, 1n, [reference]);
    const signature = await chain.send(await chain.signed(payer, payment));
    await until(() => heard.length > 1);
    await chain.finalize();
    await until(() => heard.length > 2);
    expect(heard).toEqual(
      ['processed', 'confirmed', 'finalized'].map((level) => `${level} ${signature} null`),
    );
    await Promise.all([0, 1, 2].map((id) => connection.removeOnLogsListener(id)));
  });

  it('slot, account and signature notices arrive; dropWebsockets cuts the line', async () => {
    const { ws_url: url } = chain.localnet.networks.test;
    // Both ports speak websocket: web3.js takes the second, other clients the first.
    for (const address of [url, chain.url.replace('http', 'ws')]) {
      const wallet = Keypair.generate().publicKey.toBase58();
      const socket = new WebSocket(address);
      const heard: Record<string, unknown>[] = [];
      socket.on('message', (data) => heard.push(JSON.parse(String(data)) as never));
      await new Promise((resolve) => socket.once('open', resolve));
      const ask = (id: number, method: string, params: unknown[]) =>
        socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
      socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'ping' }));
      ask(1, 'slotSubscribe', []);
      ask(2, 'accountSubscribe', [wallet, { commitment: 'processed', encoding: 'base64' }]);
      ask(3, 'nothingSubscribe', []);
      await until(() => heard.filter((each) => 'id' in each).length === 3);
      expect(heard.filter((each) => 'id' in each)).toMatchObject([
        { id: 1, result: expect.any(Number) },
        { id: 2, result: expect.any(Number) },
        { id: 3, error: { code: -32601 } },
      ]);
      await chain.call('requestAirdrop', wallet, 1_000_000);
      const notices = (method: string) => heard.filter((each) => each['method'] === method);
      await until(() => notices('accountNotification').length > 0);
      expect(notices('accountNotification')).toMatchObject([
        { params: { result: { value: { lamports: 1_000_000 } } } },
      ]);
      await until(() => notices('slotNotification').length > 1);
      const closed = new Promise((resolve) => socket.once('close', resolve));
      expect(await chain.call('localnet_dropWebsockets')).toEqual({ dropped: 1 });
      await closed;
    }
  });
});
