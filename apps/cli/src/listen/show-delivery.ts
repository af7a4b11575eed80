import { ENVELOPE_OBJECTS, WEBHOOK_TEST_EVENT } from '@tender/contracts';
import { verifySignature } from '@tender/webhook-dispatcher-features';
import type { Received } from './delivery-server';

/** What is shown of a delivery. Any program of this machine may have sent it: nothing in it is trusted. */
export interface ShownDelivery {
  /** Wall time, ISO 8601. */
  readonly time: string;
  readonly event: string | null;
  readonly object: string | null;
  readonly delivery: string | null;
  readonly attempt: number | null;
  /** `ok`, or why not. */
  readonly signature: string;
  readonly answered: number;
  /** Why the target gave no answer. */
  readonly fault: string | null;
  /** Parsed; the text where it is no JSON. */
  readonly body: unknown;
}

/** `wall`: when it came, in milliseconds. */
export function shownDelivery(
  { headers, body, answer }: Received,
  secret: string,
  wall: number,
): ShownDelivery {
  const header = (name: string): string | null => {
    const value = headers[name];
    return typeof value === 'string' ? value : null;
  };
  const signature = header('x-svc-signature');
  const checked = signature === null ? null : verifySignature(signature, body, [secret], wall);
  const parsed = parsedBody(body.toString());
  const event = header('x-svc-event');
  return {
    time: new Date(wall).toISOString(),
    event,
    object: objectOf(event ?? '', parsed),
    delivery: header('x-svc-delivery'),
    attempt: Number(header('x-svc-attempt')) || null,
    signature: checked?.valid ? 'ok' : (checked?.message ?? 'There is no X-Svc-Signature.'),
    answered: answer.status,
    fault: answer.fault,
    body: parsed,
  };
}

/** For a person, a line, and below it the body where it is asked for. */
export function linesOf(
  shown: ShownDelivery,
  { forwards, verbose }: { readonly forwards: boolean; readonly verbose: boolean },
): readonly string[] {
  const { time, event, object, delivery, attempt, signature, answered, fault, body } = shown;
  const retried = event === WEBHOOK_TEST_EVENT ? '' : ', so that Tender tries again';
  const answer =
    fault === null ? `target answered ${answered}` : `target: ${fault}; answered ${answered}${retried}`;
  const line = [
    time.slice(11, 19),
    ...[event ?? '-', object ?? '-', `${delivery ?? '-'} attempt ${attempt ?? '-'}`],
    `signature: ${signature}`,
    ...(forwards ? [answer] : []),
  ].join('  ');
  const whole = typeof body === 'string' ? body : JSON.stringify(body, null, 2);
  return [line, ...(verbose ? whole.split('\n') : [])].map(printable);
}

/** The id of the object that the event is named after, or of the first that is there. */
function objectOf(event: string, body: unknown): string | null {
  const envelope = Object(body) as Readonly<Record<string, unknown>>;
  const words = event.replace(/(?<!^)[A-Z]/g, '_$&').toLowerCase();
  const there = ENVELOPE_OBJECTS.filter((key) => Object(envelope[key]) === envelope[key]);
  const key = there.find((name) => words.startsWith(name)) ?? there[0];
  if (key === undefined) return null;
  const object = envelope[key] as Readonly<Record<string, unknown>>;
  const id = object['id'] ?? object['payment_link_id'] ?? object['payment_id'];
  return typeof id === 'string' ? id : null;
}

function parsedBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Characters that would do something to a terminal. */
const printable = (text: string): string => text.replace(/[\u0000-\u001f\u007f-\u009f]/g, '\ufffd');
