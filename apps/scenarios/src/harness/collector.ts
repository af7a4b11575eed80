import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from './eventually';

export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly attributes: readonly { readonly key: string; readonly value: object }[];
}

interface TracesRequest {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly { readonly spans: readonly CollectedSpan[] }[];
  }[];
}

/** What an OpenTelemetry collector would get: OTLP over HTTP, as JSON. */
export class Collector {
  readonly spans: CollectedSpan[] = [];
  /** All that came, as it came. */
  text = '';
  private constructor(private readonly server: http.Server) {}

  static async start(): Promise<Collector> {
    const server = http.createServer();
    const collector = new Collector(server);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        collector.take(request.url ?? '', Buffer.concat(chunks).toString());
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return collector;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The spans of a request's trace, once `enough` of them have come. */
  async trace(
    correlation_id: string,
    enough: (names: readonly string[]) => boolean,
  ): Promise<readonly CollectedSpan[]> {
    const traceId = correlation_id.replaceAll('-', '');
    const found = async () => this.spans.filter((span) => span.traceId === traceId);
    return eventually(found, (spans) => enough(spans.map(({ name }) => name)));
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private take(path: string, body: string): void {
    if (path !== '/v1/traces') throw new Error(`the program never sends to ${path}`);
    this.text += body;
    for (const { scopeSpans } of (JSON.parse(body) as TracesRequest).resourceSpans) {
      for (const { spans } of scopeSpans) this.spans.push(...spans);
    }
  }
}
