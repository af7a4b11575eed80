import { MODES, type Mode } from '@tender/kernel';

/** The mode that an object's id names: `pay_test_…` (specification, Payment). Null when it names none. */
export const modeOfObject = (id: string): Mode | null =>
  MODES.find((mode) => id.includes(`_${mode}_`)) ?? null;
