import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { RpcNode } from '@tender/signer-features';

/** Until a node has answered whole. */
const ANSWER_MS = 3_000;
/** Of a transaction with its balances; a longer answer is none. */
const BODY_MAX = 1024 * 1024;

/** A node by its URL. Node’s own client: the global `fetch` costs megabytes that a signer can do without. */
export function httpNode(url: string): RpcNode {
  const place = new URL(url);
  return {
    name: place.host,
    async call(method, params) {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
      const answer = JSON.parse(await post(place, body)) as { result?: unknown; error?: unknown };
      if (answer.error !== undefined || answer.result === undefined) {
        const { code } = (answer.error ?? {}) as { code?: unknown };
        throw new Error(`${method} was answered with an error (${String(code)})`);
      }
      return answer.result;
    },
  };
}

function post(place: URL, body: string): Promise<string> {
  const request = place.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const sent = request(place, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    sent.on('error', reject);
    sent.on('response', (response) => {
      const chunks: Buffer[] = [];
      let length = 0;
      response.on('error', reject);
      response.on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (length > BODY_MAX) sent.destroy(new Error('its answer is too long'));
        else chunks.push(chunk);
      });
      response.on('end', () => {
        if (response.statusCode === 200) resolve(Buffer.concat(chunks).toString('utf8'));
        else reject(new Error(`it answered HTTP ${response.statusCode}`));
      });
    });
    sent.end(body);
  });
}
