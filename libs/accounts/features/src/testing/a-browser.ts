import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import type { NewSession, Sessions } from '../sessions/sessions';

/** A person’s browser, as far as sessions see one: it keeps the last cookie that it was given. */
export class Browser {
  /** As it was sent, with what goes with it; null before the first. */
  set_cookie: string | null = null;
  token = '';

  constructor(private readonly sessions: () => Sessions) {}

  begin(merchant_id: string, changes: Partial<NewSession> = {}) {
    const how = { method: 'login_code', passkey_id: null } as const;
    const client = { client_address: '192.0.2.1', user_agent: 'A browser' };
    return this.sessions().begin({ merchant_id, ...how, ...client, ...changes }, this.reply());
  }

  /** The holder of the session whose cookie it has. */
  holder(token = this.token) {
    return this.sessions().authenticate(createHash('sha256').update(token).digest('hex'));
  }

  reply(): FastifyReply {
    const take = (name: string, value: string) => {
      if (name !== 'Set-Cookie') return;
      this.set_cookie = value;
      this.token = /^svc_session=([^;]*)/.exec(value)?.[1] ?? '';
    };
    const cookie = this.token ? `svc_session=${this.token}` : undefined;
    const removeHeader = () => undefined;
    return { header: take, removeHeader, request: { headers: { cookie } } } as never;
  }
}
