import type { FastifyRequest } from 'fastify';

/** In which compressed form the browser takes an answer; null: in none of ours. */
export function takenForm({ headers }: Pick<FastifyRequest, 'headers'>): 'br' | 'gzip' | null {
  const taken = (headers['accept-encoding'] ?? '').split(',').map((one) => one.split(';')[0]?.trim());
  return (['br', 'gzip'] as const).find((form) => taken.includes(form)) ?? null;
}
