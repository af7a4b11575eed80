import { COMPOSITION } from '@tender/composition';
import type { LocalChain, Stage } from '@tender/eventing';
import { LOCAL_CHAIN, RATE_TABLE, STAGE } from '@tender/http';
import type { AppParts, EmbeddedRuntime } from '@tender/runtime';

export interface ProgramParts {
  readonly runtime: EmbeddedRuntime;
  readonly stage: Stage;
  /** Null where a chain outside is used: then there are no test helpers either. */
  readonly localChain: LocalChain | null;
  /** The settings of the contexts. */
  readonly settings: AppParts['providers'];
}

/** The module of every context that does something, and what they ask for. */
export function programParts(parts: ProgramParts): Pick<AppParts, 'modules' | 'providers'> {
  const { runtime, stage, localChain, settings } = parts;
  const { sandbox, ...others } = COMPOSITION;
  const served = [...Object.values(others), ...(localChain ? [sandbox] : [])];
  return {
    modules: served.map(({ module }) => module),
    providers: [
      ...settings,
      { provide: RATE_TABLE, useValue: runtime.rates },
      { provide: STAGE, useValue: stage },
      { provide: LOCAL_CHAIN, useValue: localChain },
    ],
  };
}
