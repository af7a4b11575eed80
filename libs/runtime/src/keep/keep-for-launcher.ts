import { realDelays } from '@tender/adapter-postgres';
import type { Keep } from '@tender/eventing';
import { keepRunning } from './keep-running';
import { tellOfChildren } from './tell-of-children';

/**
 * How `npm start` and `npm run distributed` keep what they start: they tell people on stderr, and the program that
 * started them. A process that cannot be kept ends the whole: `end` is called.
 */
export function keepForLauncher(end: () => void): Keep {
  const write = (text: string): void => void process.stderr.write(text);
  const tell = tellOfChildren(write);
  const over = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => over.abort());
  return keepRunning({
    delays: realDelays,
    over: over.signal,
    tell(news) {
      process.send?.(news);
      tell(news);
    },
    giveUp({ message }) {
      write(`Tender ends: ${message}\n`);
      end();
    },
  });
}
