/** Made with the files. No program is it: it has no password and may not log in (`run-alone.ts`). */
export const SUPERUSER = 'tender';
/** What every program of ours is. It owns its database and what is in it, and has no right beyond that. */
export const PROGRAM = 'tender_program';
export const DATABASE = 'postgres';

export const connectionString = (role: string, password: string, port: number): string =>
  `postgres://${role}:${encodeURIComponent(password)}@127.0.0.1:${port}/${DATABASE}`;

/** The role of a program that trusts the others with nothing. It gets a database of its own name. */
export interface Signer {
  readonly role: string;
  /** `SCRAM-SHA-256$…`, as Postgres keeps it: the password itself is never known here. */
  readonly verifier: string;
}

/** What a role shall be, as statements that may be repeated after any of them, and after all. */
export interface RoleWanted {
  readonly role: string;
  readonly statements: readonly string[];
}

const PLAIN = 'login nosuperuser nocreaterole noreplication nobypassrls';

const makeRole = (role: string): string =>
  `do $$ begin if not exists (select from pg_roles where rolname = '${role}')
     then create role "${role}"; end if; end $$`;

/** An operator may have written it. */
const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** `for_bench`: it may make databases and write checkpoints, which only measuring needs. */
export const programRole = (password: string, for_bench: boolean): RoleWanted => ({
  role: PROGRAM,
  statements: [
    makeRole(PROGRAM),
    `alter role ${PROGRAM} ${PLAIN} ${for_bench ? 'createdb' : 'nocreatedb'} password ${quoted(password)}`,
    ...(for_bench ? [`grant pg_checkpoint to ${PROGRAM}`] : []),
    `alter database ${DATABASE} owner to ${PROGRAM}`,
    // Every role that may log in could otherwise enter, and fill the disk with temporary tables.
    `revoke all on database ${DATABASE}, template1 from public`,
    `alter role ${SUPERUSER} nologin password null`,
  ],
});

export function signerRole({ role, verifier }: Signer): RoleWanted {
  check(role, verifier);
  return {
    role,
    statements: [
      makeRole(role),
      `alter role "${role}" ${PLAIN} nocreatedb password '${verifier}'`,
      // It may be there. When it cannot be made, the statement after it fails.
      'set exit_on_error = off',
      // Not template1, to which an operator may have added.
      `create database "${role}" template template0`,
      'set exit_on_error = on',
      `alter database "${role}" owner to "${role}"`,
      `revoke all on database "${role}" from public`,
    ],
  };
}

const NAME = /^[a-z][a-z0-9_]{0,62}$/;
const TAKEN = new Set([SUPERUSER, PROGRAM, DATABASE, 'public', 'none', 'template0', 'template1']);
/** Postgres takes anything else for the password itself. */
const VERIFIER = /^SCRAM-SHA-256\$[1-9]\d{3,8}:[A-Za-z0-9+/]{8,}={0,2}\$[A-Za-z0-9+/]{43}=:[A-Za-z0-9+/]{43}=$/;

function check(role: string, verifier: string): void {
  if (!NAME.test(role) || role.startsWith('pg_') || TAKEN.has(role)) {
    throw new Error(`"${role}" cannot be the role of a signer: choose small letters, digits and _, such as signer_a`);
  }
  if (!VERIFIER.test(verifier)) {
    throw new Error(`the verifier of ${role} is not SCRAM-SHA-256$<iterations>:<salt>$<stored key>:<server key>`);
  }
}
