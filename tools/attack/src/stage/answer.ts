import type { RefusedBody, Signed } from '@tender/threshold';

/** Of a refusal its code, else what was answered. */
export const codeOf = ({ message: { kind, body } }: Signed): unknown =>
  kind === 'refused' ? (body as RefusedBody).code : body;

/** What was answered, in a word: the code of a refusal, the kind of an answer, or the status where there was none. */
export function wordOf(answer: Signed | number): string {
  if (typeof answer === 'number') return String(answer);
  const { kind, body } = answer.message;
  return kind === 'refused' ? (body as RefusedBody).code : `answered ${kind}`;
}
