import { MessageChannel } from 'node:worker_threads';
import { realDelays } from '@tender/adapter-postgres';
import { inProcessCalls } from '@tender/adapter-system';
import { answerSums, callsConformance } from '@tender/eventing/testing';
import { between, type RequestThread, type WorkThread } from './between-threads';
import { leaderCalls } from './leader-calls';
import { answered } from './thread-fault';

const { port1, port2 } = new MessageChannel();
const totals = new Map<string, number>();
let total = 0;
const additions = {
  async add(command_id: string, by: number) {
    const known = totals.get(command_id);
    if (known !== undefined) return known;
    total += by;
    totals.set(command_id, total);
    return total;
  },
};
const here = inProcessCalls(realDelays);
const there = inProcessCalls(realDelays);
answerSums(here, additions);
answerSums(there, additions);
const own: Partial<WorkThread> = {
  answerTo: (...asked) => answered(() => there.answerTo(...asked)),
};
between<RequestThread, Partial<WorkThread>>(port2, own);
const calls = leaderCalls(here, between<WorkThread, object>(port1, {}));
afterAll(() => port1.close());

callsConformance('between threads', () => calls);
