import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';

export interface SocketAnswer {
  readonly id: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

const LAST = 'the last frame';

interface Notification {
  readonly method: string;
  readonly params: { readonly subscription: number; readonly result: { readonly value: unknown } };
}

/** A websocket without a client library: what is sent is what a test says. */
export class RawSocket {
  private readonly answers: (SocketAnswer | SocketAnswer[])[] = [];
  readonly notifications: Notification[] = [];

  private constructor(private readonly socket: WebSocket) {
    socket.on('message', (data) => {
      const message = JSON.parse((data as Buffer).toString()) as SocketAnswer | Notification;
      if ('params' in message) this.notifications.push(message);
      else this.answers.push(message);
    });
  }

  static async open(url: string): Promise<RawSocket> {
    const socket = new WebSocket(url);
    await once(socket, 'open');
    return new RawSocket(socket);
  }

  /** Sends a frame and waits for its answer. */
  async ask(frame: unknown): Promise<SocketAnswer | SocketAnswer[]> {
    this.socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
    return this.nextAnswer();
  }

  private async nextAnswer(): Promise<SocketAnswer | SocketAnswer[]> {
    for (;;) {
      const answer = this.answers.shift();
      if (answer) return answer;
      if (this.socket.readyState !== WebSocket.OPEN) throw new Error('the socket was closed');
      await pause(5);
    }
  }

  /** Sends a frame that may be none, and answers what came of it: one more frame is answered after it. */
  async answersTo(frame: string): Promise<(SocketAnswer | SocketAnswer[])[]> {
    this.socket.send(frame);
    this.socket.send(JSON.stringify({ jsonrpc: '2.0', id: LAST, method: 'none' }));
    const answers: (SocketAnswer | SocketAnswer[])[] = [];
    for (;;) {
      const answer = await this.nextAnswer();
      if (!Array.isArray(answer) && answer.id === LAST) return answers;
      answers.push(answer);
    }
  }

  async call(method: string, ...params: readonly unknown[]): Promise<SocketAnswer> {
    return (await this.ask({ jsonrpc: '2.0', id: 1, method, params })) as SocketAnswer;
  }

  /** The values that a subscription has been told, once there is one. */
  async heard(subscription: unknown): Promise<unknown[]> {
    for (;;) {
      const told = this.notifications.filter(({ params }) => params.subscription === subscription);
      if (told.length > 0) return told.map(({ params }) => params.result.value);
      await pause(5);
    }
  }

  async close(): Promise<void> {
    if (this.socket.readyState === WebSocket.CLOSED) return;
    this.socket.close();
    await once(this.socket, 'close');
  }
}
