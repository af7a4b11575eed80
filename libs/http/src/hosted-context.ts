import type { Provider, Type } from '@nestjs/common';
import type { Context, Env } from '@tender/eventing';

/** Where clients reach the program. Its own port may be known only once it listens: read it late. */
export interface Place {
  /** Without a slash at the end. */
  readonly url: string;
}

/** What a context is told by whoever runs it, and nobody else reads. */
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
