import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

/** What one answer holds at a time: small, so that what a slow client has taken shows. */
const PIECE_BYTES = 64 * 1024;

/** A page that is in memory once for all clients: answers are views of it, made as their clients take them. */
export interface SharedPage {
  readonly content_type: string;
  readonly bytes: Buffer;
}

export const sendPage = (reply: FastifyReply, { content_type, bytes }: SharedPage): FastifyReply =>
  reply
    .headers({ 'Content-Type': content_type, 'Content-Length': bytes.length })
    .send(Readable.from(piecesOf(bytes), { objectMode: false, highWaterMark: PIECE_BYTES }));

export function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    yield bytes.subarray(at, at + PIECE_BYTES);
  }
}
