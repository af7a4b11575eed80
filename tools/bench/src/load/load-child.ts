import { constants, setPriority } from 'node:os';
import { answerOrders } from '../answer-orders';
import { LoadRun } from './load-run';
import type { LoadSpec } from './load-spec';

const { PRIORITY_HIGH, PRIORITY_NORMAL } = constants.priority;

// The load has a process of its own, so that counting answers does not slow the counted.
answerOrders((spec: LoadSpec) => {
  prefer(spec.goodput ? PRIORITY_HIGH : PRIORITY_NORMAL);
  return new LoadRun(spec).run();
});

/** A load above what the machine can answer must not wait for a core with the process that answers. */
function prefer(priority: number): void {
  try {
    setPriority(priority);
  } catch {
    // Without the right to it the load is less than it should be: the table shows how much was refused.
  }
}
