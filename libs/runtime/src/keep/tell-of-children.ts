import { withoutSecrets } from '@tender/adapter-system';
import { asSentence } from '../as-sentence';
import type { ChildNews } from './keep-running';

/** Of what a process said last. */
const LINES_MAX = 8;

/**
 * Writes for people which process ended, how, and what it said last, and when it runs again. The starts at the
 * beginning go without saying.
 */
export function tellOfChildren(write: (text: string) => void): (news: ChildNews) => void {
  const ended = new Set<string>();
  return ({ type, name, pid, how = '', said = '', again_ms = 0 }) => {
    const who = pid === null ? name : `${name} (pid ${pid})`;
    if (type === 'ended') {
      ended.add(name);
      const lines = said.split('\n').filter((line, at, all) => line && line !== all[at - 1]);
      const words = lines.slice(-LINES_MAX);
      const last = words.length > 0 ? [' Its last words:', ...words].join('\n  ') : '';
      const what = pid === null ? `does not start: ${asSentence(how)} It is tried` : `ended (${how}) and is started`;
      write(withoutSecrets(`tender: ${who} ${what} again in ${again_ms / 1_000} s.${last}\n`));
    } else if (ended.delete(name)) write(`tender: ${who} runs again.\n`);
  };
}
