import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Answer } from './forward';

/** A delivery as it came, and what the dispatcher was answered. */
export interface Received {
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
  readonly answer: Answer;
}

/** Where the dispatcher posts to: a free port of this machine. */
export class DeliveryServer {
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
          const answer = await answerTo({ headers, body });
          response.writeHead(answer.status, answer.headers).end(answer.body);
          onDelivery({ headers, body, answer });
        })
        // The sender has gone before its body had come.
        .catch(() => response.destroy());
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(0, '127.0.0.1', resolve);
    });
    return new DeliveryServer(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  /** Answers what is under way first. */
  stop(): Promise<void> {
    return new Promise((resolve) => this.server.close(() => resolve()));
  }
}
