import type { FastifyReply, FastifyRequest } from 'fastify';

/** What was filled in; a field that was left empty says nothing. */
export function fieldsOf({ body }: Pick<FastifyRequest, 'body'>): Readonly<Record<string, string>> {
  const sent = Object.entries((body ?? {}) as Record<string, string>);
  return Object.fromEntries(sent.filter(([, text]) => text.trim() !== ''));
}

/**
 * Another site has made the browser send this: its visitors would take the uses of a link, each from an address of
 * their own. Browsers say so where a page is served by HTTPS.
 */
export const isForeign = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  !['same-origin', 'none', undefined].includes(headers['sec-fetch-site'] as string | undefined);

/** To a page, in the language of this one: loaded again, it sends nothing twice. */
export function leadTo(request: FastifyRequest, reply: FastifyReply, path: string): void {
  const { lang } = request.query as { readonly lang?: string };
  const query = lang === undefined ? '' : `?${new URLSearchParams({ lang }).toString()}`;
  void reply.status(303).header('Location', path + query).send();
}
