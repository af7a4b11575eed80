import { Controller, Inject, Param, Res } from '@nestjs/common';
import {
  endOtherSessions,
  endSession,
  listSessions,
  logout,
  type EndedSessions,
  type ListedSession,
  type RequestContext,
} from '@tender/contracts';
import { Caller, notFound, Serves } from '@tender/http';
import { invariant, isoTime } from '@tender/kernel';
import type { FastifyReply } from 'fastify';
import { SESSION_IDLE_MS, SESSIONS, type OpenSession, type Sessions } from './sessions';

@Controller()
export class SessionsHttp {
  constructor(@Inject(SESSIONS) private readonly sessions: Sessions) {}

  @Serves(logout)
  async logout(
    @Caller() caller: RequestContext,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<EndedSessions> {
    await this.sessions.end(caller.merchant_id, sessionOf(caller));
    this.sessions.forget(reply);
    return { ended: true };
  }

  @Serves(listSessions)
  async list(
    @Caller() caller: RequestContext,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ListedSession[]> {
    const open = await this.sessions.list(caller.merchant_id);
    void reply.header('X-Total-Count', String(open.length));
    return open.map((session) => shown(session, sessionOf(caller)));
  }

  @Serves(endSession)
  async end(@Caller() { merchant_id }: RequestContext, @Param('id') id: string): Promise<EndedSessions> {
    const was_there = await this.sessions.end(merchant_id, id.toLowerCase());
    if (!was_there) throw notFound();
    return { ended: true };
  }

  @Serves(endOtherSessions)
  async endOthers(@Caller() caller: RequestContext): Promise<EndedSessions> {
    await this.sessions.endAll(caller.merchant_id, sessionOf(caller));
    return { ended: true };
  }
}

function sessionOf({ asker }: RequestContext): string {
  invariant(asker.kind === 'session', 'only sessions are let in');
  return asker.session_id;
}

function shown(session: OpenSession, current: string): ListedSession {
  const { id, method, passkey_id, client_address, user_agent } = session;
  const { started_ms, seen_ms, ends_ms } = session;
  return {
    ...{ id, method, passkey_id, client_address, user_agent },
    started_at: isoTime(started_ms),
    last_seen_at: isoTime(seen_ms),
    expires_at: isoTime(Math.min(seen_ms + SESSION_IDLE_MS, ends_ms)),
    is_current: id === current,
  };
}
