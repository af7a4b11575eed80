import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import type { ChildRun, Env } from '@tender/eventing';
import { childEnvironment } from '@tender/kernel';
import { ProgramFault, sentenceOf, startProgram } from '../keep/start-program';

/** What others must know of a signer; nothing of it is secret. */
export interface SignerIdentity {
  readonly role: 'A' | 'B';
  /** Ed25519, base58. */
  readonly identity_key: string;
  /** What its Postgres compares its password with. */
  readonly database_verifier: string;
}

/** `apps/signer`, which nothing here imports: it runs in processes of its own. */
const APP = path.resolve(__dirname, '../../../../apps/signer');
const MAIN = path.join(APP, 'dist', 'main.js');

export const RECOVERY_MAIN = path.join(APP, 'dist', 'recovery.js');

/** Asks a signer who it is, which makes its keys when its folder has none. */
export async function askIdentity(env: Env): Promise<SignerIdentity> {
  const args = [...flags(), MAIN, 'identity'];
  try {
    const { stdout } = await promisify(execFile)(process.execPath, args, { env: environment(env) });
    return JSON.parse(stdout) as SignerIdentity;
  } catch (error) {
    const { stderr = '', message } = error as Error & { readonly stderr?: string };
    throw new ProgramFault(sentenceOf(stderr) || message);
  }
}

export const startSigner = (name: string, env: Env): Promise<ChildRun> =>
  startProgram({ name, main: MAIN, node_flags: flags(), env: environment(env) });

/** Of this program’s environment, what any program needs of its machine and nothing else. */
const environment = (env: Env): NodeJS.ProcessEnv => ({ ...childEnvironment(process.env), ...env });

/** What it asks of V8, in its package.json. */
function flags(): readonly string[] {
  const { tender } = createRequire(__filename)(path.join(APP, 'package.json')) as {
    readonly tender?: { readonly nodeFlags?: readonly string[] };
  };
  return tender?.nodeFlags ?? [];
}
