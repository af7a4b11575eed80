import type { StreamMode } from '@tender/eventing';
import { invariant, type Mode } from '@tender/kernel';

/** Of what a context with two modes says. */
export function modeOf({ mode }: { readonly mode: StreamMode }): Mode {
  invariant(mode !== 'all', 'it happened in a mode');
  return mode;
}
