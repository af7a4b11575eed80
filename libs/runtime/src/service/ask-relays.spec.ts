import { inProcessCalls } from '@tender/adapter-system';
import { Unavailable } from '@tender/eventing';
import { answerForRelay, askRelays } from './ask-relays';

it('a relay is asked for the progress of one of its contexts, in the mode that is waited for', async () => {
  const asked: unknown[] = [];
  const calls = inProcessCalls({ after: () => () => undefined });
  const relay = { tellProgress: (...question: unknown[]) => void asked.push(question) };
  answerForRelay(calls, relay, [{ name: 'payments' }, { name: 'billing' }]);
  await askRelays(calls)('payments', 'live', 1_700_000_000_000);
  expect(asked).toEqual([['payments', 'live', 1_700_000_000_000]]);
  await expect(askRelays(calls)('accounts', 'all', 1)).rejects.toBeInstanceOf(Unavailable);
});
