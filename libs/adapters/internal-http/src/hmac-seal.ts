import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import type { InternalSeal, SealedRequest } from '@tender/eventing';
import type { Clock } from '@tender/kernel';

/** Clocks of two machines may differ by this. A repeat within it is the same command: no second effect. */
const SKEW_MS = 300_000;
const LIFETIME_MS = 30_000;

interface Statement {
  readonly said: object;
  readonly sealed_ms: number;
}

/**
 * HMAC-SHA256 under a secret that every process of the program is given (`INTERNAL_SECRET`). What was sealed is
 * opened for half a minute, and as much longer as clocks may differ.
 */
export function hmacSeal({
  secret,
  clock,
}: {
  readonly secret: string;
  readonly clock: Pick<Clock, 'wall'>;
}): InternalSeal {
  return {
    seal(request, said) {
      const statement: Statement = { said, sealed_ms: clock.wall() };
      const text = Buffer.from(JSON.stringify(statement)).toString('base64url');
      return `${text}.${mac(request, text).toString('base64url')}`;
    },
    open(request, header) {
      const [text, given] = header?.split('.') ?? [];
      if (!text || !given) return null;
      const [expected, shown] = [mac(request, text), Buffer.from(given, 'base64url')];
      if (shown.length !== expected.length || !timingSafeEqual(shown, expected)) return null;
      const { said, sealed_ms } = JSON.parse(
        Buffer.from(text, 'base64url').toString('utf8'),
      ) as Statement;
      const age_ms = clock.wall() - sealed_ms;
      return age_ms >= -SKEW_MS && age_ms <= LIFETIME_MS + SKEW_MS ? said : null;
    },
  };

  function mac({ method, url, body }: SealedRequest, text: string): Buffer {
    const body_hash = body === null ? '' : hash('sha256', body);
    return createHmac('sha256', secret)
      .update(`${method}\n${url}\n${body_hash}\n${text}`)
      .digest();
  }
}
