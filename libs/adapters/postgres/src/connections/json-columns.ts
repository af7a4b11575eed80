import { storedJson } from '@tender/eventing';
import { types } from 'pg';

/** Every connection of the driver reads `json` and `jsonb` as they were written. */
export function readJsonColumns(): void {
  types.setTypeParser(types.builtins.JSON, storedJson);
  types.setTypeParser(types.builtins.JSONB, storedJson);
}
