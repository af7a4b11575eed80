import { createServer as createPort, type Server as Port } from 'node:net';
import { freePort } from '@tender/adapter-postgres-server';
import { WebSocketServer, type WebSocket } from 'ws';
import { SlotHints, websocketUrl } from './slot-hints';

/** A node that tells what a test wants, at the port after the one that its address names. */
class TellingNode {
  readonly heard: string[] = [];
  readonly sockets: WebSocket[] = [];
  /** Attempts to reach it while it was away. */
  turned_away = 0;
  private server: WebSocketServer | null = null;
  private closed_door: Port | null = null;
  private constructor(readonly port: number) {}

  static async open(): Promise<TellingNode> {
    const node = new TellingNode((await freePort()) - 1);
    await node.listen();
    return node;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async listen(): Promise<void> {
    await this.openDoor();
    const server = new WebSocketServer({ host: '127.0.0.1', port: this.port + 1 });
    server.on('connection', (socket) => {
      this.sockets.push(socket);
      socket.on('message', (data) => this.heard.push(String(data)));
    });
    this.server = server;
    await new Promise((resolve) => server.once('listening', resolve));
  }

  async close(): Promise<void> {
    for (const socket of this.sockets.splice(0)) socket.terminate();
    await this.openDoor();
    await new Promise((resolve) => this.server?.close(resolve));
  }

  /** No connection is let in until it listens again. */
  async goAway(): Promise<void> {
    await this.close();
    const door = createPort((socket) => {
      this.turned_away += 1;
      socket.destroy();
    });
    this.closed_door = door;
    await new Promise<void>((resolve) => door.listen(this.port + 1, '127.0.0.1', resolve));
  }

  private async openDoor(): Promise<void> {
    const door = this.closed_door;
    this.closed_door = null;
    if (door) await new Promise((resolve) => door.close(resolve));
  }

  say(message: unknown): void {
    for (const socket of this.sockets) {
      socket.send(typeof message === 'string' ? message : JSON.stringify(message));
    }
  }

  tell(slot: unknown): void {
    const result = { context: { slot }, value: null };
    this.say({ jsonrpc: '2.0', method: 'accountNotification', params: { result, subscription: 1 } });
  }
}

const opened: { close(): unknown }[] = [];
afterEach(async () => {
  for (const { close } of opened.splice(0).reverse()) await close();
});
async function telling(): Promise<TellingNode> {
  const node = await TellingNode.open();
  opened.push({ close: () => node.close() });
  return node;
}
function listening(...urls: string[]) {
  const hints = new SlotHints(urls, 'confirmed');
  const slots: number[] = [];
  opened.push({ close: () => hints.close() });
  return { hints, slots, end: hints.listen((slot) => slots.push(slot)) };
}
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20));
}

it('asks for the account that every block changes, at the commitment, and passes the slots on', async () => {
  const node = await telling();
  const { slots } = listening(node.url);
  await until(() => node.heard.length === 1);
  expect(JSON.parse(node.heard[0] as string)).toMatchObject({
    method: 'accountSubscribe',
    params: ['SysvarC1ock11111111111111111111111111111111', { commitment: 'confirmed' }],
  });
  node.say({ jsonrpc: '2.0', id: 1, result: 1 });
  node.tell(7);
  node.tell(8);
  await until(() => slots.length === 2);
  expect(slots).toEqual([7, 8]);
});

it('takes nothing from what is no notice of a slot', async () => {
  const node = await telling();
  const { slots } = listening(node.url);
  await until(() => node.heard.length === 1);
  for (const noise of ['no json', 'null', '[]', '7', { method: 'accountNotification' }]) node.say(noise);
  for (const slot of ['9', null, 1.5, { slot: 9 }]) node.tell(slot);
  node.tell(10);
  await until(() => slots.length > 0);
  expect(slots).toEqual([10]);
});

it('41: comes back after the line was cut, and after the node was away', async () => {
  const node = await telling();
  const { slots } = listening(node.url);
  await until(() => node.heard.length === 1);
  node.tell(7);
  await until(() => slots.length === 1);
  node.sockets.splice(0).forEach((socket) => socket.terminate());
  await until(() => node.heard.length === 2);
  await node.goAway();
  await until(() => node.turned_away > 0);
  await node.listen();
  await until(() => node.heard.length === 3);
  node.tell(9);
  await until(() => slots.length === 2);
  expect(slots).toEqual([7, 9]);
});

it('goes to another node where one has no websocket, or refuses', async () => {
  const [refusing, good] = [await telling(), await telling()];
  const { slots } = listening('http://127.0.0.1:1', refusing.url, good.url);
  await until(() => refusing.heard.length === 1);
  refusing.say({ jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'Method not found' } });
  await until(() => good.heard.length === 1);
  good.tell(5);
  await until(() => slots.length === 1);
});

it('opens no line without a listener, and closes it with the last one', async () => {
  const node = await telling();
  const hints = new SlotHints([node.url], 'confirmed');
  expect(node.sockets).toHaveLength(0);
  const ends = [hints.listen(() => undefined), hints.listen(() => undefined)];
  await until(() => node.heard.length === 1);
  const [socket] = node.sockets as [WebSocket];
  ends[0]?.();
  expect(socket.readyState).toBe(socket.OPEN);
  ends[1]?.();
  await until(() => socket.readyState === socket.CLOSED);
});

it.each([
  ['http://127.0.0.1:8899', 'ws://127.0.0.1:8900/'],
  ['https://node.example:8899/key?a=b', 'wss://node.example:8900/key?a=b'],
  ['https://node.example/?api-key=1', 'wss://node.example/?api-key=1'],
])('the websocket of %s is %s', (rpc_url, url) => {
  expect(websocketUrl(rpc_url)).toBe(url);
});
