import type { Program } from './program';
import { endedOtherwise } from './stuck-work';

const ended = (name: string, how: string) => ({ type: 'ended', name, pid: 7, how });
const stuck = (service: string) =>
  `{"level":"error","service":"${service}","msg":"the work of this replica did not stop when it lost the lease: it ends"}\n`;
const otherwise = (news: readonly object[], output: string) =>
  endedOtherwise({ news, output } as unknown as Program, { news: 0, output: 0 });

test('each line excuses one process of its service, if it ended as one ends itself', () => {
  const [one, other] = [ended('payments', '1'), ended('payments 2', '1')];
  expect(otherwise([one, other], stuck('payments') + stuck('payments'))).toEqual([]);
  expect(otherwise([one, other], stuck('payments'))).toEqual([other]);
  expect(otherwise([one], stuck('fraud'))).toEqual([one]);
  const killed = ended('payments', 'SIGKILL');
  expect(otherwise([killed, other], stuck('payments'))).toEqual([killed]);
});

test('what was told before is left out, and one that serves is none that ended', () => {
  const program = { news: [ended('payments', '1'), { type: 'serving', name: 'payments' }], output: 'x' };
  expect(endedOtherwise(program as unknown as Program, { news: 1, output: 0 })).toEqual([]);
});
