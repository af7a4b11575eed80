import { RUN } from './running-program';
import { hasStalled } from './stalls';

/**
 * Whether that is what a busy machine may answer, and a person or a page begins anew: on services any 503, in one
 * process where the machine was measured to stand still. Clients see to that by themselves.
 */
export const isExcused = ({ status }: { readonly status: number }): boolean =>
  status === 503 && (RUN !== 'embedded' || hasStalled());
