import { required, SettingsFault, type Env } from '../settings/settings-fault';
import { refuseSecrets } from '../settings/no-secrets';
import { madeOfflineKey } from './offline-key';
import { ownShare } from './own-share';
import { rosterIn, textIn } from './roster-file';
import { standardTerminal, takePart, together } from './rounds';
import { transferIn } from './transfer-in';

const USAGE =
  '`recover` takes `key`, `check WALLET`, `sign WALLET MESSAGE` or `aggregate WALLET MESSAGE`: the file of a ' +
  'wallet’s answer, and the file of a message in base64.';

/**
 * What is left to do where one of A and B is lost for good: a share of the other and share R, each in a process of its
 * own, sign one transfer. It asks no network; only the share of a signer is read from its ledger.
 */
export async function recover(args: readonly string[], env: Env): Promise<void> {
  refuseSecrets(env);
  const [step, wallet, message, ...others] = args;
  const terminal = standardTerminal();
  if (step === 'key' && args.length === 1) {
    const hint = 'the file that the offline key is made in.';
    const public_key = madeOfflineKey(required(env, 'RECOVERY_KEY_FILE', hint));
    return terminal.say({ public_key });
  }
  if (step === 'check' && wallet && args.length === 2) {
    const roster = rosterIn(wallet);
    const share = await ownShare(env, roster, false);
    share.erase();
    return terminal.say({ wallet: roster.wallet, opens: share.role });
  }
  if (!wallet || !message || others.length > 0) throw new SettingsFault(USAGE);
  const roster = rosterIn(wallet);
  const transfer = transferIn(textIn(message), roster.wallet);
  if (step === 'sign') {
    // Beside the lines that are carried: what its person agrees to by handing in the other’s line.
    process.stderr.write(`signs ${JSON.stringify(transfer.takes)}\n`);
    return takePart(await ownShare(env, roster, true), transfer, terminal);
  }
  if (step !== 'aggregate') throw new SettingsFault(USAGE);
  terminal.say({ wallet: roster.wallet, signature: await together(roster, transfer, terminal) });
}
