import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { TIMED_EVENTS, type Arrival, type FromSink, type Sample, type ToSink } from './sink-spec';

// A receiver of webhooks on several ports, in a process of its own, so that counting does not slow the sender.
const SAMPLES_MAX = 20;

const seen = new Set<string>();
const arrivals: Arrival[] = [];
const samples: Sample[] = [];
let held: http.ServerResponse[] | null = null;
let answered = 0;
let first_at_ms = NaN;
let last_at_ms = NaN;
let waits: { readonly count: number } | null = null;

const now = (): number => performance.timeOrigin + performance.now();
const tell = (message: FromSink): void => void process.send?.(message);

function receive(request: http.IncomingMessage, response: http.ServerResponse): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const id = String(request.headers['x-svc-delivery']);
    if (seen.has(id)) return void response.end('again');
    seen.add(id);
    const body = Buffer.concat(chunks).toString();
    if (samples.length < SAMPLES_MAX) {
      samples.push({ signature: String(request.headers['x-svc-signature']), path: request.url ?? '', body });
    }
    const event = String(request.headers['x-svc-event']);
    if (TIMED_EVENTS.includes(event)) {
      arrivals.push({ event, at_ms: now(), payment_id: paymentIn(body) });
    }
    if (held) held.push(response);
    else answer(response);
  });
}

interface Told {
  readonly payment: { readonly id: string } | null;
  readonly refund: { readonly payment_id: string } | null;
}

function paymentIn(body: string): string {
  const { payment, refund } = JSON.parse(body) as Told;
  return refund?.payment_id ?? payment?.id ?? '';
}

function answer(response: http.ServerResponse): void {
  response.end('ok');
  answered += 1;
  last_at_ms = now();
  if (answered === 1) first_at_ms = last_at_ms;
  if (waits && answered >= waits.count) {
    waits = null;
    tell({ result: { at_ms: now(), answered } });
  }
}

process.on('message', (message: ToSink) => {
  if (message.do === 'hold') {
    held = [];
    tell({ result: { at_ms: now(), answered } });
  } else if (message.do === 'await') {
    const waiting = held ?? [];
    held = null;
    const began = now();
    waits = { count: message.count };
    for (const response of waiting) answer(response);
    if (waits && answered >= message.count) {
      waits = null;
      tell({ result: { at_ms: began, answered } });
    }
  } else {
    tell({ result: { arrivals, samples, answered, first_at_ms, last_at_ms } });
  }
});
process.on('disconnect', () => process.exit(0));

const ports = Number(process.env['SINK_PORTS']);
const servers = Array.from({ length: ports }, () => http.createServer(receive));
for (const server of servers) server.keepAliveTimeout = 120_000;
void Promise.all(
  servers.map((server) => {
    return new Promise<string>((resolve) => {
      server.listen(0, '127.0.0.1', () => {
        resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
      });
    });
  }),
).then((urls) => process.send?.({ urls }));
