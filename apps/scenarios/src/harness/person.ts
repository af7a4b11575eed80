import type { Answer } from './client';
import { eventually } from './eventually';
import { isExcused } from './excused';
import type { RunningProgram } from './running-program';

/** A person of a merchant in a browser, signed in by a code that came by mail. */
export class Person {
  private constructor(
    private readonly program: RunningProgram,
    /** `svc_session=…`, as the browser sends it. */
    readonly cookie: string,
    readonly code: string,
    /** Of the pages of the program. */
    private readonly origin: () => string,
  ) {}

  /** `origin`: where the program says that it is reached, if that is another place than where it listens. */
  static async signIn(
    program: RunningProgram,
    email: string,
    /** A program that starts again may listen elsewhere. */
    origin = () => new URL(program.url).origin,
  ): Promise<Person> {
    const client = program.client();
    const inbox = `/api/v1/test_helpers/emails?to=${encodeURIComponent(email)}`;
    const { length: before } = (await program.admin().get(inbox)).json as object[];
    await client.post('/api/v1/merchants/login/email/start', { email });
    const { json: mails } = await eventually(
      () => program.admin().get(inbox),
      ({ json }) => json.length > before,
    );
    const code = /\b\d{6}\b/.exec(mails[0].text)?.[0] ?? '';
    // Once: a repeat of a right code is a wrong one.
    const answer = await client.once().post('/api/v1/merchants/login/email/verify', { email, code });
    if (isExcused(answer)) return Person.signIn(program, email, origin);
    if (answer.status !== 200) throw new Error(`the code was refused: ${answer.text}`);
    return new Person(program, cookieIn(answer), code, origin);
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
    /** Of a page of the program, unless told. */
    headers: Readonly<Record<string, string>> = { origin: this.origin() },
  ): Promise<Answer> {
    return this.program.client().send(method, path, body, { cookie: this.cookie, ...headers });
  }
}

function cookieIn({ headers }: Answer): string {
  const [first = ''] = [headers['set-cookie'] ?? ''].flat();
  return first.split(';')[0] as string;
}
