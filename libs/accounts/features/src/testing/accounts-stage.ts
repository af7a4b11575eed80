import type { Runtime } from '@tender/eventing';
import { waitLong } from '@tender/eventing/testing';
import { RUNTIME } from '@tender/http';
import { startTestPostgres } from '@tender/adapter-postgres/testing';
import { contextStage, type ContextStage } from '@tender/runtime/testing';
import { accountsContext } from '../accounts.context';
import { KEY_DIRECTORY, openKeyDirectory, type KeyDirectory } from '../key-directory/key-directory';
import type { Gateways } from '../key-directory/proven-fresh';
import { openSessions, SESSIONS, type Sessions } from '../sessions/sessions';
import { ACCOUNT_SETTINGS, accountSettings } from '../settings';

/** Where it is reached. */
export const PLACE = {
  url: 'https://tender.test',
  approval_url: 'https://approve.tender.test',
  secretFile: () => '',
};

export type AccountsStage = ContextStage & {
  readonly directory: KeyDirectory;
  readonly sessions: Sessions;
};

/** The context accounts on a database of its own, with the key directory of its gateway. */
export async function accountsStage(
  gateways: Gateways = { alone: true },
  ports: Partial<Runtime> = {},
): Promise<AccountsStage> {
  const postgres = await startTestPostgres();
  const stage = await contextStage({
    connectionString: await postgres.database(),
    context: accountsContext,
    providers: [
      { provide: ACCOUNT_SETTINGS, useValue: accountSettings.read({}, PLACE) },
      {
        provide: KEY_DIRECTORY,
        useFactory: (runtime: Runtime) => openKeyDirectory(runtime, gateways),
        inject: [RUNTIME],
      },
      {
        provide: SESSIONS,
        useFactory: (runtime: Runtime, directory: KeyDirectory) =>
          openSessions(runtime, directory, PLACE),
        inject: [RUNTIME, KEY_DIRECTORY],
      },
    ],
    ports,
  });
  waitLong(stage.runtime);
  const directory = stage.app.get<KeyDirectory>(KEY_DIRECTORY);
  return {
    ...stage,
    directory,
    sessions: stage.app.get<Sessions>(SESSIONS),
    async close() {
      await directory.close();
      await stage.close();
      await postgres.stop();
    },
  };
}
