import http from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
  /** The body as it came. */
  readonly bytes: Buffer;
  /** Milliseconds since the process began. */
  readonly at: number;
}

type Behaviour = (received: Received, response: http.ServerResponse) => void;

/** A merchant's endpoint that remembers every request, in order of arrival. */
export class Receiver {
  readonly received: Received[] = [];
  behaviour: Behaviour = (_, response) => response.end('ok');
  private constructor(private readonly server: http.Server) {}

  static async start(): Promise<Receiver> {
    const server = http.createServer();
    const receiver = new Receiver(server);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { url: path = '', headers } = request;
        const bytes = Buffer.concat(chunks);
        const received = { path, headers, body: bytes.toString(), bytes, at: performance.now() };
        receiver.received.push(received);
        receiver.behaviour(received, response);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  answer(status: number, body = '', headers: http.OutgoingHttpHeaders = {}): void {
    this.behaviour = (_, response) => response.writeHead(status, headers).end(body);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
