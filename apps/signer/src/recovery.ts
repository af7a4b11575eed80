import { randomBytes } from 'node:crypto';
import { recoveryParty, SILENT } from '@tender/signer-features';
import { identityOf } from '@tender/threshold';
import { endOnCrash, keepOutOfDumps } from './process/crash';

/*
 * The recovery party: a process of one ceremony. Treasury forks it, with RECOVERY_KEY as its environment. It says
 * `{type: 'ready', identity_key}`, answers each `{id, message}` with `{id, answer}`, and ends when its share is sealed,
 * when its parent goes away, or after a minute. It opens no port and no file, and its share is never outside in clear.
 */
const LIVES_MS = 60_000;

interface Asked {
  readonly id: number;
  readonly message: unknown;
}

function takePart(recovery_key: string): void {
  const seed = randomBytes(32);
  const identity = identityOf(seed);
  seed.fill(0);
  const answer = recoveryParty(identity, { recovery_key, clock: { wall: () => Date.now() } });
  process.on('message', ({ id, message }: Asked) => {
    void answer(message).then((answered) => {
      // Whatever came of the ceremony: it is this process’s only one.
      const over = answered?.message.kind === 'refused' || answered?.message.kind === 'ceremony.finish';
      process.send?.({ id, answer: answered }, () => over && process.disconnect());
    });
  });
  process.once('disconnect', () => process.exit(0));
  setTimeout(() => process.exit(0), LIVES_MS).unref();
  process.send?.({ type: 'ready', identity_key: identity.public_key });
}

endOnCrash(SILENT);
keepOutOfDumps();
const recovery_key = process.env['RECOVERY_KEY'];
if (!recovery_key || !process.send) {
  process.stderr.write('recovery: treasury starts this program, with RECOVERY_KEY, for one ceremony.\n');
  process.exit(64);
}
takePart(recovery_key);
