import type { Ledger } from '../ledger/ledger';
import { decodeTransaction } from '../wire/decoded-transaction';

/** The accounts that a transaction may have changed. */
export function writableKeys(body: ReturnType<Ledger['body']>): string[] {
  const { message } = decodeTransaction(Buffer.from(body.wire, 'base64'));
  return body.keys.filter((_, index) =>
    index < body.staticKeys
      ? message.isAccountWritable(index)
      : index < body.staticKeys + body.loadedWritable,
  );
}
