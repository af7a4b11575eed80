import { realDelays } from '@tender/adapter-postgres';
import type { InProcessCalls } from '@tender/adapter-system';
import { askedOf, inTime, NotThisOne, Unavailable, type Calls } from '@tender/eventing';
import type { WorkThread } from './between-threads';
import { valueOf } from './thread-fault';

/** Every question is answered here, but those of the leader. */
export function leaderCalls(local: InProcessCalls, work: Pick<WorkThread, 'answerTo'>): Calls {
  return {
    answer: (question, by) => local.answer(question, by),
    async ask(question, input, asking) {
      const { name, deadline_ms, answered_by } = question;
      if (answered_by !== 'leader') return local.ask(question, input, asking);
      const answer = valueOf(work.answerTo(name, input, askedOf(question, asking))).catch(
        (error: unknown) => {
          if (error instanceof Unavailable) throw error;
          throw new NotThisOne(name, { cause: error, reason: 'the answering context has failed' });
        },
      );
      const late = (): never => {
        throw new Unavailable(name, { reason: `no answer within ${deadline_ms} ms` });
      };
      return (await inTime(realDelays, answer, deadline_ms, late)) as never;
    },
  };
}
