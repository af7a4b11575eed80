import { NotThisOne, Unavailable, UnstorableText } from '@tender/eventing';

const KINDS = { NotThisOne, Unavailable, UnstorableText } as const;

/** What a thread tells another of a failure: classes do not cross over. */
export interface ThreadFault {
  readonly kind: keyof typeof KINDS | 'Error';
  /** The part that failed, or the stream. */
  readonly part: string;
  readonly message: string;
  readonly stack: string | undefined;
}

export type ThreadAnswer<Value> =
  | { readonly value: Value }
  | { readonly fault: ThreadFault };

/** Runs `work` for another thread. */
export async function answered<Value>(work: () => Promise<Value>): Promise<ThreadAnswer<Value>> {
  try {
    return { value: await work() };
  } catch (error) {
    return { fault: faultOf(error as Error) };
  }
}

/** The value that the other thread answered with; rejects with what went wrong there. */
export async function valueOf<Value>(asked: Promise<ThreadAnswer<Value>>): Promise<Value> {
  const answer = await asked;
  if ('value' in answer) return answer.value;
  throw errorOf(answer.fault);
}

function faultOf(error: Error): ThreadFault {
  const { message, stack } = error;
  if (error instanceof UnstorableText) {
    return { kind: 'UnstorableText', part: error.stream, message, stack };
  }
  if (!(error instanceof Unavailable)) return { kind: 'Error', part: '', message, stack };
  const kind = error instanceof NotThisOne ? 'NotThisOne' : 'Unavailable';
  return { kind, part: error.part, message, stack };
}

function errorOf({ kind, part, message, stack }: ThreadFault): Error {
  const error = kind === 'Error' ? new Error() : new KINDS[kind](part);
  return Object.assign(error, { message, stack });
}
