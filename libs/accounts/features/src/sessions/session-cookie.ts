import { SESSION_COOKIE } from '@tender/contracts';
import type { FastifyReply } from 'fastify';

interface GivenCookie {
  readonly token: string;
  readonly seconds: number;
  readonly is_secure: boolean;
}

/** Without `Secure` where the program is reached by plain HTTP, as on a machine of one’s own: it would be dropped. */
export function setSessionCookie(
  reply: FastifyReply,
  { token, seconds, is_secure }: GivenCookie,
): void {
  const secure = is_secure ? '; Secure' : '';
  const cookie = `${SESSION_COOKIE}=${token}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}${secure}`;
  // Fastify sends every cookie that it was given: the last one alone counts.
  reply.removeHeader('Set-Cookie');
  void reply.header('Set-Cookie', cookie);
}
