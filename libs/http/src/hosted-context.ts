import type { Provider, Type } from '@nestjs/common';
import type { Context, Env, Runtime, Worker } from '@tender/eventing';
import type { ErrorPage } from './error-page';
import type { Hearing } from './reacts';

/** Where a context runs: what its settings need beside the environment. */
export interface Place {
  /** Where clients reach the program; no slash at the end. Its own port may be known only later: read it late. */
  readonly url: string;
  /** Where the pages are on which merchants use passkeys that sign: an origin of its own. Read it late, too. */
  readonly approval_url: string;
  /** The text of a file that only its owner may read. Throws `SettingsFault`, which names the setting. */
  readonly secretFile: (setting: string, file: string) => string;
}

/** What an operator sets for a context, and no other context reads. */
export interface ContextSettings<Settings> {
  /** Nest injection token. */
  readonly token: string;
  /** Throws `SettingsFault`, which names the variable and what it takes. */
  readonly read: (env: Env, place: Place) => Settings;
}

/** A context with what serves it: `<context>.context.ts`, on one screen. */
export interface HostedContext extends Context {
  /** Its routes and reactors. */
  readonly module: Type;
  readonly settings?: ContextSettings<unknown>;
  /** What browsers get in place of an error of a page (`Route.page`). */
  readonly error_page?: ErrorPage;
  /** Called once per process, where routes, reactors and loops share something that is made. */
  readonly open?: (runtime: Runtime) => OpenContext;
}

/** A context in one process: what its parts share. */
export interface OpenContext {
  /** For its module: handles (`OfLeader`) of what there is in a term, and what lasts as long as the process. */
  readonly providers?: readonly Provider[];
  /** Called each time that this process begins to lead, after the last term has ended: everything is made anew. */
  readonly beginTerm?: () => Term;
}

/** What a context does while its process leads. */
export interface Term {
  readonly workers: readonly Worker[];
  /** What the bus tells consumers beside their messages, by their names. */
  readonly hearing?: Readonly<Record<string, Hearing>>;
  /** Once its workers and consumers have stopped. */
  end(): void;
}

/** All these contexts in one process, as if they were one. */
export function openContexts(
  contexts: readonly Pick<HostedContext, 'open'>[],
  runtime: Runtime,
): Required<OpenContext> {
  const opened = contexts.flatMap(({ open }) => (open ? [open(runtime)] : []));
  return {
    providers: opened.flatMap(({ providers = [] }) => providers),
    beginTerm() {
      const terms = opened.flatMap(({ beginTerm }) => (beginTerm ? [beginTerm()] : []));
      return {
        workers: terms.flatMap(({ workers }) => workers),
        hearing: Object.assign({}, ...terms.map(({ hearing }) => hearing)) as Required<Term>['hearing'],
        end() {
          for (const term of terms) term.end();
        },
      };
    },
  };
}

/** The settings of these contexts, read now. Throws `SettingsFault`. */
export const settingsOf = (
  contexts: readonly Pick<HostedContext, 'settings'>[],
  env: Env,
  place: Place,
): readonly Provider[] =>
  contexts.flatMap(({ settings }) =>
    settings ? [{ provide: settings.token, useValue: settings.read(env, place) }] : [],
  );
