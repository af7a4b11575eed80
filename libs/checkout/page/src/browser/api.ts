import { ask, Refusal } from '@tender/page/browser';
import type { Scenario } from '../actions';

/** JSON to and from the API of the same origin. */
export class Api {
  private fails_next = false;

  /** The next request is answered as if the chain could not be reached; nothing is sent. */
  failNext(): void {
    this.fails_next = true;
  }

  async post<Answer>(path: string, body?: object, idempotency_key?: string): Promise<Answer> {
    const headers: Record<string, string> = {};
    if (body) headers['content-type'] = 'application/json';
    if (idempotency_key) headers['idempotency-key'] = idempotency_key;
    const answer = await this.fetch(path, {
      method: 'POST', headers, ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return (await answer.json()) as Answer;
  }

  /** In test mode: a wallet of its own pays it so, or is blocked. Answers which. */
  simulate(payment_id: string, scenario: Scenario): Promise<{ readonly wallet: string }> {
    return this.post('/api/v1/test_helpers/simulate', { payment_id, scenario });
  }

  /** A page of this checkout; one that does not exist is a page, too. */
  async page(path: string): Promise<string> {
    const answer = await this.fetch(path, { headers: { accept: 'text/html' } }, [404]);
    return answer.text();
  }

  private async fetch(
    path: string,
    init: RequestInit,
    also: readonly number[] = [],
  ): Promise<Response> {
    if (this.fails_next) {
      this.fails_next = false;
      throw new Refusal(503, 'service_unavailable', {}, null, null);
    }
    return ask(path, init, also);
  }
}
