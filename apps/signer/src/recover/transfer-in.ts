import {
  base64, bytesOfBase64, messageOf, SYSTEM_PROGRAM, SYSTEM_TRANSFER, TOKEN_PROGRAM,
  TRANSFER_CHECKED, type Instruction,
} from '@tender/transactions';
import { SettingsFault } from '../settings/settings-fault';

/** What a message takes out of a wallet, for the person who is about to sign it. */
export interface Taken {
  /** The wallet, or its token account. */
  readonly from: string | null;
  readonly to: string | null;
  /** `SOL`, or the address of the mint. */
  readonly asset: string | null;
  /** Base units. */
  readonly amount: string;
  readonly fee_payer: string;
}

export interface TransferMessage {
  readonly bytes: Uint8Array;
  readonly takes: Taken;
}

/**
 * The message of exactly one transfer of SOL or of a classic token by a wallet, from base64. Others may sign, pay the
 * fee and use a nonce account beside it; the wallet does nothing else. Throws `SettingsFault` for all else.
 */
export function transferIn(text: string, wallet: string): TransferMessage {
  const bytes = bytesOfBase64(text.trim());
  const message = bytes && messageOf(bytes);
  if (!bytes || !message) throw new SettingsFault('the message is none that the chain would read: it takes base64.');
  if (message.lookup_tables.length > 0) {
    throw new SettingsFault('the message hides accounts in a look-up table: build it without.');
  }
  const by_wallet = message.instructions.filter(({ accounts }) =>
    accounts.some(({ address }) => address === wallet),
  );
  const [only, another] = by_wallet;
  const taken = only && !another ? takenBy(only, wallet) : null;
  if (taken === null) {
    throw new SettingsFault(`the message is not one transfer by ${wallet}, of SOL or of a token, and nothing else by it.`);
  }
  return { bytes, takes: { ...taken, fee_payer: message.fee_payer } };
}

/** What both parties compare, so that they sign the same. */
export const textOf = (message: TransferMessage): string => base64(message.bytes);

function takenBy(
  { program, accounts, data }: Instruction,
  wallet: string,
): Omit<Taken, 'fee_payer'> | null {
  const at = (place: number): string | null => accounts[place]?.address ?? null;
  const bytes = Buffer.from(data);
  const is_system = program === SYSTEM_PROGRAM && bytes.length === 12;
  if (is_system && bytes.readUInt32LE(0) === SYSTEM_TRANSFER) {
    if (at(0) !== wallet) return null;
    return { from: wallet, to: at(1), asset: 'SOL', amount: String(bytes.readBigUInt64LE(4)) };
  }
  if (program === TOKEN_PROGRAM && bytes.length === 10 && bytes[0] === TRANSFER_CHECKED) {
    if (at(3) !== wallet) return null;
    return { from: at(0), to: at(2), asset: at(1), amount: String(bytes.readBigUInt64LE(1)) };
  }
  return null;
}
