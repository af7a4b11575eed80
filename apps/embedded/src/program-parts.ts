import { COMPOSITION } from '@tender/composition';
import type { LocalChain, Stage } from '@tender/eventing';
import { LOCAL_CHAIN, RATE_TABLE, STAGE } from '@tender/http';
import type { AppParts, EmbeddedRuntime } from '@tender/runtime';

export interface ProgramParts {
  readonly runtime: EmbeddedRuntime;
  readonly stage: Stage;
  /** Null where a chain outside is used: then there are no test helpers either. */
  readonly localChain: LocalChain | null;
  /** What else the contexts ask for: their settings, and what they have made. */
  readonly others: AppParts['providers'];
}

/** The module of every context that does something, and what they ask for. */
export function programParts(parts: ProgramParts): Pick<AppParts, 'modules' | 'providers'> {
  const { runtime, stage, localChain } = parts;
  const { sandbox, ...contexts } = COMPOSITION;
  const served = [...Object.values(contexts), ...(localChain ? [sandbox] : [])];
  return {
    modules: served.map(({ module }) => module),
    providers: [
      ...parts.others,
      { provide: RATE_TABLE, useValue: runtime.rates },
      { provide: STAGE, useValue: stage },
      { provide: LOCAL_CHAIN, useValue: localChain },
    ],
  };
}
