import { ask } from '@tender/page/browser';
import type { SetUp } from '../view';

/** JSON to and from the API, as the holder of a set-up link. */
export class SetupApi {
  constructor(
    private readonly origin: string,
    private readonly token: string,
  ) {}

  setUp(): Promise<SetUp> {
    return this.get('/passkey-setup');
  }

  get<Answer>(path: string): Promise<Answer> {
    return this.send(path, { method: 'GET' });
  }

  post<Answer>(path: string, body: object): Promise<Answer> {
    return this.send(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  }

  private async send<Answer>(path: string, init: RequestInit): Promise<Answer> {
    const headers = { ...init.headers, authorization: `Bearer ${this.token}` };
    const answer = await ask(`${this.origin}/api/v1${path}`, {
      ...init, headers, cache: 'no-store', referrerPolicy: 'no-referrer',
    });
    return (await answer.json()) as Answer;
  }
}
