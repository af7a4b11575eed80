import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { WebSocketServer, type WebSocket } from 'ws';

const CLOCK_SYSVAR = 'SysvarC1ock11111111111111111111111111111111';
const TRIES_MAX = 50;

/** A node's websocket, as far as a client waits for blocks: the clock's account changes with each of them. */
export class ToldSlots {
  private readonly subscribed = new Map<WebSocket, number>();

  private constructor(
    server: WebSocketServer,
    private readonly onCall: (method: string) => void,
  ) {
    server.on('connection', (socket) => {
      socket.on('message', (data) => this.answer(socket, String(data)));
      socket.on('close', () => this.subscribed.delete(socket));
    });
  }

  /** Lets `http` listen on some port and the websocket on the next, where clients look for it. */
  static async listen(
    http: Server,
    onCall: (method: string) => void,
  ): Promise<{ told: ToldSlots; port: number }> {
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
      const { port } = http.address() as AddressInfo;
      const server = new WebSocketServer({ host: '127.0.0.1', port: port + 1 });
      const bound = await new Promise<boolean>((resolve) => {
        server.once('listening', () => resolve(true));
        server.once('error', () => resolve(false));
      });
      if (bound) return { told: new ToldSlots(server, onCall), port };
      await new Promise((resolve) => http.close(resolve));
    }
    throw new Error('no free pair of ports');
  }

  tell(slot: number): void {
    const value = { lamports: 1_169_280, data: ['', 'base64'], space: 40 };
    const result = { context: { slot }, value };
    for (const [socket, subscription] of this.subscribed) {
      const params = { result, subscription };
      socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'accountNotification', params }));
    }
  }

  private answer(socket: WebSocket, text: string): void {
    const { id, method, params } = JSON.parse(text) as {
      readonly id: unknown;
      readonly method: string;
      readonly params: readonly unknown[];
    };
    this.onCall(method);
    const known = method === 'accountSubscribe' && params[0] === CLOCK_SYSVAR;
    const subscription = this.subscribed.size + 1;
    if (known) this.subscribed.set(socket, subscription);
    const error = { code: -32601, message: `Method not found: ${method}` };
    const answer = known ? { result: subscription } : { error };
    socket.send(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
  }
}
