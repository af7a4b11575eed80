import type { FastifyReply } from 'fastify';
import { piecesOf, sendPage } from './shared-page';

test('all answers are views of the one page in memory', () => {
  const bytes = Buffer.alloc(200_000, 'a page');
  for (const pieces of [[...piecesOf(bytes)], [...piecesOf(bytes)]]) {
    expect(Buffer.concat(pieces)).toEqual(bytes);
    expect(new Set(pieces.map(({ buffer }) => buffer))).toEqual(new Set([bytes.buffer]));
  }
});

test('an answer whose client does not read has taken nothing of it', () => {
  let sent: { readableLength: number } | null = null;
  const reply = { headers: () => reply, send: (payload: never) => ((sent = payload), reply) };
  sendPage(reply as unknown as FastifyReply, {
    content_type: 'text/plain',
    bytes: Buffer.alloc(10_000_000),
  });
  expect(sent).toMatchObject({ readableLength: 0 });
});
