import { readWholeNumber, type Env } from '@tender/eventing';
import { readPublicUrl } from '@tender/runtime/program';

/** It needs to know of the rest of the program where the API is, and nothing else. */
export interface ApprovalSettings {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Where clients reach the API; no slash at the end. */
  readonly public_url: string;
}

/** Reads and checks the environment; every `SettingsFault` names the variable and what it takes. */
export function readApprovalSettings(env: Env): ApprovalSettings {
  return {
    host: env['HOST'] || '127.0.0.1',
    port: readWholeNumber(env, 'PORT', 8090, 0, 65_535),
    public_url: readPublicUrl(env),
  };
}
