import type { Runtime } from '@tender/eventing';
import { HOSTED_QUORUM, type HostedRole, type SignedRoster } from '@tender/threshold';
import type { OpenWallet } from '@tender/treasury-domain';
import { askSigner } from '../signing/ask-signer';

/** Asks both signers to sign no more for a wallet; answers which have confirmed it. One is enough: it takes both. */
export async function freezeAtSigners(
  { signers, random, log }: Pick<Runtime, 'signers' | 'random' | 'log'>,
  { address, roster }: Pick<OpenWallet, 'address' | 'roster'>,
  reason: string,
): Promise<readonly HostedRole[]> {
  if (signers === null) return [];
  const session = { session: random.uuid(), epoch: (roster as SignedRoster).roster.epoch };
  const asked = await Promise.all(
    HOSTED_QUORUM.map((role) => askSigner(signers, role, 'freeze', { wallet: address, reason }, session)),
  );
  return HOSTED_QUORUM.filter((role, index) => {
    const answer = asked[index];
    if (answer?.ok) return answer.answer.message.body.frozen === true;
    log.error({ address, role, ...answer }, 'a signer has not confirmed that a wallet is frozen');
    return false;
  });
}
