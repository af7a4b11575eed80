import { xchacha20poly1305 } from '@noble/ciphers/chacha.js';
import { concatBytes, randomBytes } from '@noble/hashes/utils.js';
import { scrypt } from '#scrypt';
import { base64, bytesOfBase64 } from '@tender/transactions';
import { canonicalBytes, isSame, sha256Hex } from '../canonical-bytes';
import { isAddress } from '../ceremony-plan';
import { hasShape, isText, listOf, type Check } from '../has-shape';
import { keyShare, type KeyShare } from '../key-share';
import { fitsKey, is32Bytes } from '../group';
import { THRESHOLD } from '../parties';
import { KitFault } from './kit-fault';
import { isPassphrase, passphraseBytes } from './passphrase';

const [SALT_BYTES, NONCE_BYTES, KEY_BYTES, SECRET_BYTES] = [16, 24, 32, 32];
/** Of a new kit: 128 MiB and about a second for each guess. */
const COST = { n: 2 ** 17, r: 8, p: 1 } as const;
/** Of a kit that is read: no less than a new one has, and no more than a laptop can. */
const COST_MAX = { n: 2 ** 20, r: 8, p: 4 } as const;
/** What the kit of the largest cost takes. */
const MEMORY_MAX = 128 * COST_MAX.n * COST_MAX.r + 2 ** 20;

/** What is made a kit of. */
export interface KitContent {
  readonly network: string;
  readonly share_c: KeyShare;
  readonly share_r: KeyShare;
  readonly passphrase: string;
  /**
   * Ed25519, base58: of signer A as the ceremony knew it, for the merchant to compare with what Tender publishes. The
   * first kits had none.
   */
  readonly tender_identity_key?: string | undefined;
  /** ISO 8601. */
  readonly made_at: string;
  /** From 0 to 1, now and then: it takes about a second. */
  readonly onProgress?: (done: number) => void;
}

/** What a kit holds. The caller erases the shares. */
export interface OpenedKit {
  readonly wallet: string;
  readonly network: string;
  readonly made_at: string;
  readonly tender_identity_key?: string | undefined;
  readonly shares: Readonly<Record<'C' | 'R', KeyShare>>;
}

interface Kit {
  readonly what: string;
  readonly leave: string;
  readonly version: 1;
  readonly wallet: string;
  readonly network: string;
  readonly made_at: string;
  readonly tender_identity_key?: string | undefined;
  readonly epoch: number;
  /** Base64, as all below. */
  readonly commitments: readonly string[];
  readonly share_r: string;
  readonly share_c: {
    readonly kdf: 'scrypt';
    readonly n: number;
    readonly r: number;
    readonly p: number;
    readonly salt: string;
    readonly cipher: 'xchacha20-poly1305';
    readonly sealed: string;
  };
  /** SHA-256 over all the rest, hex: tells a damaged file from a wrong passphrase. */
  readonly checksum: string;
}

const WHAT =
  'Recovery kit of a wallet. It holds share R as it is, and share C under your passphrase: with this file and the ' +
  'passphrase all its money can be moved, without Tender. Keep them apart, and away from this computer.';
const LEAVE =
  'npm run exit-wallet -- --recovery THIS_FILE --to ADDRESS --token USDC --amount all --rpc https://YOUR_NODE';

/**
 * The text of the file that a merchant keeps, JSON: share R as it is, and share C under the passphrase. Rejects with
 * `KitFault` where the passphrase is too short.
 */
export async function recoveryKit(content: KitContent): Promise<string> {
  const { network, share_c, share_r, made_at, tender_identity_key } = content;
  const { passphrase, onProgress } = content;
  if (!isPassphrase(passphrase)) throw new KitFault('passphrase_too_short');
  const { wallet, epoch, commitments } = share_r;
  const about = {
    ...{ version: 1, wallet, network, made_at, tender_identity_key, epoch, commitments },
  } as const;
  const salt = randomBytes(SALT_BYTES);
  const kdf = { kdf: 'scrypt', ...COST, salt: base64(salt), cipher: 'xchacha20-poly1305' } as const;
  const key = await keyOf(passphrase, kdf, onProgress);
  const nonce = randomBytes(NONCE_BYTES);
  const sealed = xchacha20poly1305(key, nonce, aboutOf(about)).encrypt(share_c.secret);
  key.fill(0);
  const kit = {
    ...{ what: WHAT, leave: LEAVE, ...about, share_r: base64(share_r.secret) },
    share_c: { ...kdf, sealed: base64(concatBytes(nonce, sealed)) },
  };
  return `${JSON.stringify({ ...kit, checksum: checksumOf(kit) }, null, 2)}\n`;
}

/** What a kit holds, once both shares are those of its wallet. Rejects with `KitFault`. */
export async function openKit(
  text: string,
  passphrase: string,
  onProgress?: (done: number) => void,
): Promise<OpenedKit> {
  const kit = kitIn(text);
  const R = shareIn(kit, 'R', bytesOfBase64(kit.share_r) as Uint8Array);
  try {
    const key = await keyOf(passphrase, kit.share_c, onProgress);
    const sealed = bytesOfBase64(kit.share_c.sealed) as Uint8Array;
    const secret = opened(key, sealed, aboutOf(aboutIn(kit)));
    key.fill(0);
    if (secret === null) throw new KitFault('passphrase_wrong');
    const C = shareIn(kit, 'C', secret);
    const { wallet, network, made_at, tender_identity_key } = kit;
    return { wallet, network, made_at, tender_identity_key, shares: { C, R } };
  } catch (fault) {
    R.erase();
    throw fault;
  }
}

/**
 * The same kit under another passphrase, where the one of before is lost: R of the old kit, and C as a passkey has
 * opened it. The old kit opens as before. Rejects with `KitFault`; `kit_damaged` where C is of another wallet.
 */
export async function renewedKit(
  text: string,
  content: Pick<KitContent, 'share_c' | 'passphrase' | 'made_at' | 'onProgress'>,
): Promise<string> {
  const kit = kitIn(text);
  const { share_c } = content;
  const { wallet, epoch, commitments } = share_c;
  if (!isSame({ wallet, epoch, commitments }, commonOf(kit))) throw new KitFault('kit_damaged');
  const share_r = shareIn(kit, 'R', bytesOfBase64(kit.share_r) as Uint8Array);
  try {
    const { network, tender_identity_key } = kit;
    return await recoveryKit({ ...content, network, tender_identity_key, share_r });
  } finally {
    share_r.erase();
  }
}

/** The wallet that a kit is of, without its passphrase. Throws `KitFault`. */
export const walletOfKit = (text: string): string => kitIn(text).wallet;

/** What both shares have in common. */
const commonOf = ({ wallet, epoch, commitments }: Kit) => ({ wallet, epoch, commitments });

function aboutIn(kit: Kit): object {
  const { version, wallet, network, made_at, tender_identity_key, epoch, commitments } = kit;
  return { version, wallet, network, made_at, tender_identity_key, epoch, commitments };
}

/** It keeps the secret as its own. Throws `KitFault` where that is no share of the kit’s wallet. */
function shareIn({ wallet, epoch, commitments }: Kit, role: 'C' | 'R', secret: Uint8Array): KeyShare {
  const share = keyShare({ role, wallet, epoch, commitments, secret });
  if (fitsKey(share)) return share;
  share.erase();
  throw new KitFault('kit_damaged');
}

const aboutOf = (about: object): Uint8Array => canonicalBytes('tender.recovery-kit.v1', about);
const checksumOf = (kit: object): string => sha256Hex(canonicalBytes('tender.recovery-kit.v1', kit));

const within =
  (least: number, most: number): Check =>
  (value) =>
    Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most;
const isPowerOfTwo: Check = (value) => Number.isInteger(Math.log2(value as number));
const bytesLong =
  (length: number): Check =>
  (value) =>
    typeof value === 'string' && bytesOfBase64(value)?.length === length;

const SHARE_C: Readonly<Record<keyof Kit['share_c'], Check>> = {
  kdf: (value) => value === 'scrypt',
  n: (value) => within(COST.n, COST_MAX.n)(value) && isPowerOfTwo(value),
  r: within(COST.r, COST_MAX.r),
  p: within(COST.p, COST_MAX.p),
  salt: bytesLong(SALT_BYTES),
  cipher: (value) => value === 'xchacha20-poly1305',
  sealed: bytesLong(NONCE_BYTES + SECRET_BYTES + 16),
};
const KIT: Readonly<Record<keyof Kit, Check>> = {
  what: isText,
  leave: isText,
  version: (value) => value === 1,
  wallet: isAddress,
  network: isText,
  made_at: isText,
  tender_identity_key: isAddress,
  epoch: within(1, Number.MAX_SAFE_INTEGER),
  commitments: listOf(THRESHOLD, is32Bytes),
  share_r: is32Bytes,
  share_c: (value) => hasShape(value, SHARE_C),
  checksum: isText,
};

const { tender_identity_key: _, ...FIRST_KIT } = KIT;

function kitIn(text: string): Kit {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new KitFault('kit_malformed');
  }
  if (!hasShape(value, KIT) && !hasShape(value, FIRST_KIT)) throw new KitFault('kit_malformed');
  const { checksum, ...kit } = value as Kit;
  if (checksum !== checksumOf(kit)) throw new KitFault('kit_damaged');
  return value as Kit;
}

const keyOf = (
  passphrase: string,
  { n, r, p, salt }: Pick<Kit['share_c'], 'n' | 'r' | 'p' | 'salt'>,
  onProgress?: (done: number) => void,
): Promise<Uint8Array> =>
  scrypt(
    passphraseBytes(passphrase),
    bytesOfBase64(salt) as Uint8Array,
    { N: n, r, p, dkLen: KEY_BYTES, maxmem: MEMORY_MAX },
    onProgress,
  );

function opened(key: Uint8Array, sealed: Uint8Array, about: Uint8Array): Uint8Array | null {
  try {
    const nonce = sealed.subarray(0, NONCE_BYTES);
    return xchacha20poly1305(key, nonce, about).decrypt(sealed.subarray(NONCE_BYTES));
  } catch {
    return null;
  }
}
