import { SettingsFault, type Env } from './settings-fault';

/** The environment is read by every child, by `/proc` and by crash reports: no secret of a signer comes from there. */
const SECRETS: readonly { readonly names: RegExp; readonly way_out: string }[] = [
  {
    names: /^(?:SIGNER_|TENDER_)?(?:NEW_)?(?:KEK|KEY_ENCRYPTION_KEY)$|^SIGNER_KEK_/,
    way_out: 'the key-encryption key is the file `kek` in SIGNER_DIR, or comes through the pipe of KEK_FD',
  },
  {
    names: /^PGPASSWORD$|^PGPASSFILE$|^SIGNER_DATABASE_PASSWORD$|^DATABASE_URL$/,
    way_out: 'the password of the ledger is the file `database-password` in SIGNER_DIR',
  },
  {
    names: /^SIGNER_(?:.*_)?(?:SEED|SECRET|PRIVATE_KEY|SHARE|PASSWORD)$|^MASTER_KEY$/,
    way_out: 'what a signer keeps secret is in its files in SIGNER_DIR, and no other program’s secret is its business',
  },
];

export function refuseSecrets(env: Env): void {
  for (const [name, value] of Object.entries(env)) {
    if (!value) continue;
    const found = SECRETS.find(({ names }) => names.test(name));
    if (found) throw new SettingsFault(`${name} is in the environment: unset it; ${found.way_out}.`);
  }
}
