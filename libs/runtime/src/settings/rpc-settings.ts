import { readUrls, SettingsFault, type Env } from '@tender/eventing';
import { MODES, type Mode } from '@tender/kernel';

/** The nodes of each mode's chain outside, the preferred one first; none where the local chain is used. */
export type RpcUrls = Readonly<Record<Mode, readonly string[]>>;

export const RPC_URL_SETTINGS = { test: 'SOLANA_RPC_URL_TEST', live: 'SOLANA_RPC_URL_LIVE' } as const;

/** Throws `SettingsFault`; no message has a URL, which may hold the key of an account with a provider. */
export function readRpcUrls(env: Env): RpcUrls {
  const urls = { test: nodesOf(env, 'test'), live: nodesOf(env, 'live') };
  if (urls.test.some((url) => urls.live.includes(url))) {
    const [test, live] = MODES.map((mode) => RPC_URL_SETTINGS[mode]);
    throw new SettingsFault(
      `${test} and ${live} name the same node: test and live never share a chain. ` +
        'Name a node of another network in one of them, or unset it.',
    );
  }
  return urls;
}

/** Two spellings of one address are one node. */
function nodesOf(env: Env, mode: Mode): readonly string[] {
  const nodes = readUrls(env, RPC_URL_SETTINGS[mode]).map((text) => {
    const url = new URL(text);
    url.hash = '';
    return url.search ? url.href : url.href.replace(/\/+$/, '');
  });
  return [...new Set(nodes)];
}
