import type { Program } from './program';
import { linesOf, tender } from './tender';

/** What breaks an invariant in a running program, as an operator sees it. Throws where nothing was looked at. */
export async function brokenInvariants(
  program: Pick<Program, 'operatorsEnv'>,
): Promise<readonly Record<string, unknown>[]> {
  const { code, output, errors } = await tender(['ops', 'invariants'], program.operatorsEnv());
  const lines = linesOf(output);
  const broken = lines.filter(({ line }) => line === 'violation');
  const checked = lines.filter(({ line }) => line === 'invariant');
  if (checked.length === 0 || code !== (broken.length === 0 ? 0 : 1)) {
    throw new Error(`tender ops invariants ended with ${code}: ${errors}`);
  }
  return broken;
}

/** Messages that wait for an operator in a running program, as an operator sees them. */
export async function parkedMessages(
  program: Pick<Program, 'operatorsEnv'>,
): Promise<readonly Record<string, unknown>[]> {
  const { code, output, errors } = await tender(['ops', 'parked'], program.operatorsEnv());
  if (code !== 0) throw new Error(`tender ops parked ended with ${code}: ${errors}`);
  return linesOf(output).filter(({ line }) => line === 'parked');
}
