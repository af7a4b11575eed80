import { createHmac } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from './eventually';

export interface Delivery {
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a black box: the body is what is under test
  readonly json: any;
  readonly at: number;
}

type Behaviour = (delivery: Delivery, response: http.ServerResponse) => void;

/** A merchant's webhook endpoint that remembers every request. */
export class Receiver {
  readonly deliveries: Delivery[] = [];
  private behaviour: Behaviour = (_, response) => response.end('ok');
  private constructor(private readonly server: http.Server) {}

  static async start(): Promise<Receiver> {
    const server = http.createServer();
    const receiver = new Receiver(server);
    server.on('request', (request, response) => receiver.receive(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  answerWith(behaviour: Behaviour): void {
    this.behaviour = behaviour;
  }

  events(name: string): Delivery[] {
    return this.deliveries.filter(({ json }) => json?.event === name);
  }

  /** Ids of the events of that name about a payment. One may be posted twice, under the same id. */
  idsOf(name: string, payment_id: string): ReadonlySet<string> {
    const told = this.events(name).filter(({ json }) => json.payment?.id === payment_id);
    return new Set(told.map(({ json }) => json.id as string));
  }

  /** Waits until `enough` holds of what has come. */
  async until(enough: (deliveries: readonly Delivery[]) => boolean): Promise<void> {
    const received = async () => this.deliveries.map(({ json }) => json?.event);
    await eventually(received, () => enough(this.deliveries));
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private receive(request: http.IncomingMessage, response: http.ServerResponse): void {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const delivery = {
        path: request.url ?? '',
        headers: request.headers,
        body,
        json: JSON.parse(body) as unknown,
        at: Date.now(),
      };
      this.deliveries.push(delivery);
      this.behaviour(delivery, response);
    });
  }
}

/** Checks `X-Svc-Signature` as the specification tells a merchant to (specification §2.12). */
export function signedWith(secret: string, { headers, body }: Delivery): boolean {
  const header = String(headers['x-svc-signature']);
  const time = /t=(\d+)/.exec(header)?.[1];
  const signatures = [...header.matchAll(/v1=([0-9a-f]+)/g)].map((match) => match[1]);
  const expected = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
  const age = Date.now() / 1000 - Number(time);
  return signatures.includes(expected) && age < 300 && age > -60;
}
