import { randomUUID } from 'node:crypto';
import type { KafkaRelay } from '@tender/adapter-kafka';
import type { Calls, StreamMode } from '@tender/eventing';
import { call, type Call } from '@tender/kernel';

export interface ProgressAsked {
  /** Wall time (ms) that a consumer waits for. */
  readonly until_ms: number;
}

/** Of the process that relays the context. Its answer is only that it was asked: progress comes in the topic. */
const tellProgress = (context: string): Call<ProgressAsked, null, false> =>
  call(`${context}.tell-progress`, { answered_by: 'leader' });

/** How the consumers of this process ask the relays of all. */
export const askRelays =
  (calls: Pick<Calls, 'ask'>) =>
  async (context: string, mode: StreamMode, until_ms: number): Promise<void> => {
    const asking = { mode, correlation_id: randomUUID() };
    await calls.ask(tellProgress(context), { until_ms }, asking);
  };

/** How the relay of this process is asked for the progress of its contexts. */
export function answerForRelay(
  calls: Pick<Calls, 'answer'>,
  relay: Pick<KafkaRelay, 'tellProgress'>,
  contexts: readonly { readonly name: string }[],
): void {
  for (const { name } of contexts) {
    calls.answer(tellProgress(name), ({ until_ms }, { mode }) => {
      relay.tellProgress(name, mode, until_ms);
      return Promise.resolve(null);
    });
  }
}
