import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { WEBHOOK_TEST_EVENT } from '@tender/contracts';
import type { Answer } from './forward';

/** A delivery as it came, and what the dispatcher was answered. */
export interface Received {
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
  readonly answer: Answer;
}

/** Where the dispatcher posts to: a free port of this machine. */
export class DeliveryServer {
  private test: 'not awaited' | 'awaited' | 'here' = 'not awaited';

  private constructor(private readonly server: http.Server) {}

  /** `answerTo` says what a delivery is answered; `onDelivery` hears of it afterwards. */
  static async start(
    answerTo: (delivery: Pick<Received, 'headers' | 'body'>) => Promise<Answer>,
    onDelivery: (received: Received) => void,
  ): Promise<DeliveryServer> {
    const server = http.createServer((request, response) => {
      if (request.method !== 'POST') return void response.writeHead(405, { allow: 'POST' }).end();
      const { headers } = request;
      buffer(request)
        .then(async (body) => {
          if (deliveries.takesTest(headers)) return void response.writeHead(200).end();
          const answer = await answerTo({ headers, body });
          response.writeHead(answer.status, answer.headers).end(answer.body);
          onDelivery({ headers, body, answer });
        })
        // The sender has gone before its body had come.
        .catch(() => response.destroy());
    });
    const deliveries = new DeliveryServer(server);
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(0, '127.0.0.1', resolve);
    });
    return deliveries;
  }

  /** From now on a test event is answered here, and not handed on; the function says whether one has come. */
  awaitTest(): () => boolean {
    this.test = 'awaited';
    return () => this.test === 'here';
  }

  private takesTest(headers: http.IncomingHttpHeaders): boolean {
    if (this.test === 'not awaited' || headers['x-svc-event'] !== WEBHOOK_TEST_EVENT) return false;
    this.test = 'here';
    return true;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  /** Answers what is under way first. */
  stop(): Promise<void> {
    return new Promise((resolve) => this.server.close(() => resolve()));
  }
}
