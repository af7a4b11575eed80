import type { ApprovalOrigin } from '@tender/signer-domain';
import { required, SettingsFault, type Env } from './settings-fault';

/** Where `npm start` has its approval page. */
const LOCAL = 'http://localhost:8090';

/**
 * `APPROVAL_URL`: where merchants use their signing passkeys. Proofs from every other page are refused.
 * `is_worthless`: nothing that the chains move is worth anything, so that a local page will do.
 */
export function readApproval(env: Env, is_worthless: boolean): ApprovalOrigin {
  const name = 'APPROVAL_URL';
  const hint = 'the URL of the pages on which merchants use their signing passkeys, such as https://approve.example.com.';
  const text = is_worthless && !env[name] ? LOCAL : required(env, name, hint);
  if (!URL.canParse(text)) throw new SettingsFault(`${name} is no URL: it takes ${hint}`);
  const { origin, protocol, hostname } = new URL(text);
  if (protocol === 'https:' || (protocol === 'http:' && hostname === 'localhost')) {
    return { origin, rp_id: hostname };
  }
  throw new SettingsFault(`${name} is not safe: browsers give passkeys to https, and to http://localhost, alone.`);
}
