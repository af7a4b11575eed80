import { existsSync, mkdirSync } from 'node:fs';
import { LedgerRefused } from '@tender/signer-features';
import { ShareUnopened } from '@tender/threshold';
import { databaseVerifier } from './files/database-verifier';
import { databasePasswordIn, identityIn } from './files/signer-files';
import { jsonLog } from './log';
import { endOnCrash, keepOutOfDumps } from './process/crash';
import { readPlace, readSettings } from './settings/read-settings';
import { SettingsFault, type Env } from './settings/settings-fault';
import { recover } from './recover/recover';
import { rotateKekOf } from './rotate-kek';
import { startSigner } from './start-signer';

const SETTINGS_EXIT = 64;

/** What others must know of this signer; makes what is secret of it, once. */
function describeIdentity(env: Env): void {
  const { role, dir } = readPlace(env);
  // Only here: one that serves and finds no folder has lost it.
  if (!existsSync(dir)) mkdirSync(dir, { mode: 0o700 });
  const identity_key = identityIn(dir).public_key;
  const database_verifier = databaseVerifier(databasePasswordIn(dir));
  process.stdout.write(`${JSON.stringify({ role, identity_key, database_verifier })}\n`);
}

async function serve(env: Env): Promise<void> {
  const settings = readSettings(env);
  const log = jsonLog(settings.role, settings.log_level);
  endOnCrash(log);
  if (!keepOutOfDumps()) log.warn({}, 'core dumps could hold shares here: start it with ulimit -c 0');
  const signer = await startSigner(settings, log);
  log.info({ url: signer.url, identity_key: signer.identity_key }, 'the signer serves');
  const end = (code: number) => signer.close().then(() => process.exit(code));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void end(0));
  process.send?.({ type: 'ready', url: signer.url });
  void signer.kek_replaced.then((is_replaced) => {
    if (!is_replaced) return undefined;
    log.error({}, 'the shares are under another key-encryption key now: start this signer with that one');
    return end(SETTINGS_EXIT);
  });
  // Started by another program, it does not outlive it.
  process.once('disconnect', () => void end(0));
}

async function main([command, ...others]: readonly string[], env: Env): Promise<void> {
  if (command === undefined) return serve(env);
  if (command === 'identity' && others.length === 0) return describeIdentity(env);
  if (command === 'rotate-kek' && others.length === 0) {
    keepOutOfDumps();
    process.stdout.write(`${JSON.stringify(await rotateKekOf(env))}\n`);
    return;
  }
  if (command === 'recover') {
    keepOutOfDumps();
    await recover(others, env);
    process.exit(0);
  }
  throw new SettingsFault(
    `there is no ${command}: it takes nothing, \`identity\`, \`rotate-kek\` or \`recover\`.`,
  );
}

main(process.argv.slice(2), process.env).catch((error: unknown) => {
  const known = [SettingsFault, LedgerRefused, ShareUnopened].some((kind) => error instanceof kind);
  const { name, message, code } = error as Error & { code?: string };
  process.stderr.write(`signer: ${known ? message : `${name} ${code ?? ''} ${message}`}\n`);
  process.exit(known ? SETTINGS_EXIT : 1);
});
