import { request as send } from 'undici';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a black box seen from outside
  readonly json: any;
}

/** One request outside the timed parts. */
export async function request(
  url: string,
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>>,
): Promise<Answer> {
  const answer = await send(url + path, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await answer.body.text();
  const json: unknown = text ? JSON.parse(text) : null;
  return { status: answer.statusCode, headers: answer.headers, json };
}

/** Asks until `holds` of the answer; throws after `wait_ms`. */
export async function eventually<Value>(
  what: string,
  read: () => Promise<Value>,
  holds: (value: Value) => boolean,
  wait_ms = 60_000,
): Promise<Value> {
  for (const until = performance.now() + wait_ms; ; ) {
    const value = await read();
    if (holds(value)) return value;
    if (performance.now() > until) {
      const last = JSON.stringify(value).slice(0, 500);
      throw new Error(`${what}: not within ${wait_ms} ms; last ${last}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
