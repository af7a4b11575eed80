import { createHash } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Account } from './account';
import { HAND_OVER } from './hand-over';
import { DATABASE, PROGRAM, programRole, signerRole, SUPERUSER, type Signer } from './roles';
import { runAlone } from './run-alone';

export interface RolesWanted {
  readonly signers?: readonly Signer[];
  /** The program's role may make databases and write checkpoints. For measuring alone. */
  readonly for_bench?: boolean;
}

/** Where no role may put anything that the superuser would meet. */
const ADMINISTERED_FROM = 'template1';

/**
 * Makes the roles what they shall be, while no server runs on the files. A server that has them already
 * costs the reading of a file; a signer's new password, a new signer or another release cost 0.1 s.
 */
export async function settleRoles(
  account: Account,
  cluster: string,
  password: string,
  { signers = [], for_bench = false }: RolesWanted,
): Promise<void> {
  const done = settled(cluster);
  const wanted = [programRole(password, for_bench), ...signers.map(signerRole)].map((role) => ({
    ...role,
    digest: digestOf(role.statements),
  }));
  const open = wanted.filter(({ role, digest }) => done.get(role) !== digest);
  if (open.length === 0) return;
  const statements = open.flatMap((role) => role.statements);
  if (done.has(PROGRAM)) await runAlone(account, cluster, ADMINISTERED_FROM, statements);
  else await runAlone(account, cluster, DATABASE, [...statements, HAND_OVER]);
  for (const { role, digest } of open) done.set(role, digest);
  keep(account, cluster, done);
}

/** Whom a server of these files knows: those of the release before know only one role. */
export const everydayRole = (cluster: string): string =>
  settled(cluster).has(PROGRAM) ? PROGRAM : SUPERUSER;

/** In the files that it speaks of: a copy of them, or an older one that is put in their place, has its own. */
const markIn = (cluster: string): string => join(cluster, 'tender.roles');

/** What was last done for each role. */
function settled(cluster: string): Map<string, string> {
  try {
    const lines = readFileSync(markIn(cluster), 'utf8').split('\n').filter(Boolean);
    return new Map(lines.map((line) => line.split(' ') as [string, string]));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new Map();
    throw error;
  }
}

function keep(account: Account, cluster: string, done: ReadonlyMap<string, string>): void {
  const draft = `${markIn(cluster)}.new`;
  writeFileSync(draft, [...done].map((entry) => `${entry.join(' ')}\n`).join(''), { mode: 0o600 });
  account.own(draft);
  renameSync(draft, markIn(cluster));
}

const digestOf = (statements: readonly string[]): string =>
  createHash('sha256').update(statements.join('\n')).digest('hex');
