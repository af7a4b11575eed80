import { Client } from './client';

/** Which run of the program the stories are about: one process, or services over one of two logs. */
export type Run = 'embedded' | 'postgres' | 'eventstore';
export const RUN = (process.env.TENDER_RUN || 'embedded') as Run;

/** What a started program says of itself. */
export interface Ready {
  readonly url: string;
  readonly admin_token: string;
  readonly demo: { readonly api_key: string; readonly merchant_id: string };
  readonly postgres: { readonly connection_string: string };
  /** Of the distributed run. */
  readonly urls?: readonly string[];
  readonly eventstore?: { readonly connection_string: string } | null;
  readonly kafka?: { readonly brokers: string };
  /** Of each process. */
  readonly metrics_ports: readonly number[];
}

/** A program that serves, as merchants and operators see it. */
export class RunningProgram {
  constructor(protected ready: Ready | null) {}

  get running(): Ready {
    if (!this.ready) throw new Error('the program has not been started');
    return this.ready;
  }

  get url(): string {
    return this.running.url;
  }

  client(key: string | null = null): Client {
    return new Client(() => this.url, key, { patience: RUN === 'embedded' ? 'stalled' : 'always' });
  }

  admin(): Client {
    return this.client(this.running.admin_token);
  }
}

/**
 * The program that the runner has started for all stories of this run. Others use it at the same time: a story that
 * kills it, or moves its clock, rates or settings, says `@program own` and starts one for itself.
 */
export function sharedProgram(): RunningProgram {
  const { TENDER_PROGRAM } = process.env;
  if (!TENDER_PROGRAM) {
    throw new Error('This story needs a program that serves: `npm run scenarios -- <file>` starts one.');
  }
  return new RunningProgram(JSON.parse(TENDER_PROGRAM) as Ready);
}
