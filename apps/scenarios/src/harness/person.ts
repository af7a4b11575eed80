import type { Answer, Client } from './client';
import { eventually } from './eventually';
import type { RunningProgram } from './running-program';

/** A person of a merchant in a browser, signed in by a code that came by mail. */
export class Person {
  private constructor(
    private readonly client: Client,
    /** `svc_session=…`, as the browser sends it. */
    public cookie: string,
    /** Of the program's own pages. */
    readonly origin: string,
    readonly code: string,
  ) {}

  static async signIn(program: RunningProgram, email: string): Promise<Person> {
    const { json } = await program.admin().get('/api/v1/test_helpers/environment');
    const client = program.client();
    await client.post('/api/v1/merchants/login/email/start', { email });
    const mails = await eventually(
      () => program.admin().get(`/api/v1/test_helpers/emails?to=${encodeURIComponent(email)}`),
      (answer) => answer.json.some(({ subject }: { subject: string }) => /sign in/.test(subject)),
    );
    const code = /\b\d{6}\b/.exec(mails.json[0].text)?.[0] ?? '';
    // Once: a repeat of a right code is a wrong one.
    const answer = await client.once().post('/api/v1/merchants/login/email/verify', { email, code });
    if (answer.status !== 200) throw new Error(`the code was refused: ${answer.text}`);
    return new Person(client, cookieIn(answer), new URL(json.dashboard_url).origin, code);
  }

  get(path: string): Promise<Answer> {
    return this.send('GET', path);
  }

  post(path: string, body: unknown = {}): Promise<Answer> {
    return this.send('POST', path, body);
  }

  send(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = { origin: this.origin },
  ): Promise<Answer> {
    return this.client.send(method, path, body, { cookie: this.cookie, ...headers });
  }
}

function cookieIn({ headers }: Answer): string {
  const [first = ''] = [headers['set-cookie'] ?? ''].flat();
  return first.split(';')[0] as string;
}
