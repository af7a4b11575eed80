import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';

/**
 * The body of an answer as it comes, no faster than it is read. Destroying it ends the exchange, and the service
 * sees its client leave.
 */
export function streamedBody(controller: Dispatcher.DispatchController): Readable {
  const body = new Readable({
    read() {
      if (controller.paused) controller.resume();
    },
    destroy(error, done) {
      controller.abort(error ?? new Error('its reader has left'));
      done(error);
    },
  });
  // A reader hears of it; while there is none yet, a service that dies must not end this process.
  body.on('error', () => undefined);
  return body;
}
