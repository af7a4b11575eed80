import { Agent, get, type IncomingMessage } from 'node:http';

/** One that listens to a payment's status. */
interface Listener {
  readonly payment_id: string;
  /** Time (ms since 1970) at which it heard of the payment's end. */
  ended_ms: number | null;
}

/** Clients that listen to event streams, each over a connection of its own, and note when they hear of the end. */
export class Listeners {
  readonly all: Listener[] = [];
  private readonly agent = new Agent({ keepAlive: false, maxSockets: Infinity });

  /** Resolves when the first event has come. Rejects what is not 200. */
  open(url: string, payment_id: string): Promise<void> {
    const listener: Listener = { payment_id, ended_ms: null };
    return new Promise((resolve, reject) => {
      const path = `${url}/api/v1/payments/${payment_id}/status/stream`;
      const heard = (answer: IncomingMessage): void => {
        if (answer.statusCode !== 200) return reject(new Error(`a stream is ${answer.statusCode}`));
        this.all.push(listener);
        answer.setEncoding('utf8').on('data', (text: string) => {
          if (text.includes('"confirmed"')) {
            listener.ended_ms = performance.timeOrigin + performance.now();
          }
          resolve();
        });
        answer.on('error', () => undefined);
      };
      get(path, { agent: this.agent }, heard).on('error', reject);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}
