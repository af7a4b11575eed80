import { parseArgs } from 'node:util';

export interface Flags {
  /** Names of scenarios; empty for all. */
  readonly only: readonly string[];
  readonly rounds: number;
  /** Timed part of a shot. */
  readonly timed_ms: number;
  /** Before each shot. */
  readonly warmup_ms: number;
  /** Load before the first shot at a server: what is compiled while it serves is compiled by then, on both sides. */
  readonly settle_ms: number;
  /** Some minutes in all, less exact; absolute goals fail nothing. */
  readonly quick: boolean;
  /** In the log of `rebuild` and `catchup`; null: as many as the scenario takes. Three of them make an order. */
  readonly events: number | null;
  /** Of the scenarios of subscriptions; null: as many as the scenario takes. */
  readonly subscriptions: number | null;
  readonly json: string | null;
  readonly compare: string | null;
  /** Folder for CPU profiles of the candidate. Profiling slows it: the ratios then mean nothing. */
  readonly profile: string | null;
}

export class FlagFault extends Error {
  override readonly name = 'FlagFault';
}

/** Reads the command line of `npm run bench`. */
export function readFlags(args: readonly string[]): Flags {
  const { values } = parse(args);
  const quick = values.quick ?? false;
  const sec = positive('sec', values.sec, quick ? 1 : 4);
  return {
    only: values.only?.split(',').filter(Boolean) ?? [],
    rounds: Math.ceil(positive('rounds', values.rounds, quick ? 2 : 5)),
    timed_ms: sec * 1000,
    warmup_ms: quick ? 500 : 1000,
    settle_ms: quick ? 1000 : 8000,
    quick,
    events:
      values.events === undefined ? null : 3 * Math.ceil(positive('events', values.events, 0) / 3),
    subscriptions:
      values.subscriptions === undefined
        ? null
        : Math.ceil(positive('subscriptions', values.subscriptions, 0)),
    json: values.json ?? null,
    compare: values.compare ?? null,
    profile: values.profile ?? null,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        only: { type: 'string' },
        rounds: { type: 'string' },
        sec: { type: 'string' },
        quick: { type: 'boolean' },
        events: { type: 'string' },
        subscriptions: { type: 'string' },
        json: { type: 'string' },
        compare: { type: 'string' },
        profile: { type: 'string' },
      },
    });
  } catch (error) {
    throw new FlagFault((error as Error).message);
  }
}

function positive(name: string, text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback;
  const value = Number(text);
  if (!(value > 0)) throw new FlagFault(`--${name} is "${text}"; it takes a number above 0`);
  return value;
}
