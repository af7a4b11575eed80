/** What the API refused, as it says itself (specification §1.1). */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly details: Readonly<Record<string, unknown>>,
    readonly correlation_id: string | null,
    /** Seconds after which it may be asked again. */
    readonly retry_after: number | null,
  ) {
    super(code);
  }
}

/** No answer at all: the network, not the program. */
export class NoAnswer extends Error {}

interface Said {
  readonly code?: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

const PATIENCE_MS = 20_000;

/** Asks the API. Throws a `Refusal` for every status from 400 on that is not in `also`, and `NoAnswer` for silence. */
export async function ask(
  address: string,
  init: RequestInit,
  also: readonly number[] = [],
): Promise<Response> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  // A merchant that has signed in at the same address is a stranger on these pages, as everyone is.
  const answer = await fetch(address, { credentials: 'omit', ...init, signal }).catch(() => {
    throw new NoAnswer();
  });
  if (answer.ok || also.includes(answer.status)) return answer;
  const said = (await answer.json().catch(() => ({}))) as Said;
  const after = Number(answer.headers.get('retry-after'));
  throw new Refusal(
    answer.status,
    said.code ?? 'internal_error',
    said.details ?? {},
    answer.headers.get('x-correlation-id'),
    after > 0 ? after : null,
  );
}
