import type { MessageAttackRow } from './attack';

const KEYS_AT = 4;
const KEY_BYTES = 32;

/** Bytes that are read in another way than they are meant, or in more than one. */
export const attacksOnForm: readonly MessageAttackRow[] = [
  ['tx_not_canonical', 'a byte behind the end', (message) => Uint8Array.from([...message, 0])],
  ['tx_not_canonical', 'the last byte missing', (message) => message.subarray(0, -1)],
  ['tx_not_canonical', 'no bytes', () => new Uint8Array()],
  [
    'tx_not_canonical',
    'a length in a longer form',
    (message) => {
      const keys = message[3] as number;
      return Uint8Array.from([...message.subarray(0, 3), keys | 0x80, 0, ...message.subarray(4)]);
    },
  ],
  ['tx_not_canonical', 'two keys in another order', swappedKeys],
  ['tx_not_canonical', 'a key that no instruction uses', (message) => withKey(message, 9)],
  ['tx_version_unsupported', 'version 0', versionZero],
  ['tx_version_unsupported', 'version 1', (message) => Uint8Array.from([0x81, ...message])],
  [
    'tx_lookup_table_forbidden',
    'a look-up table',
    (message) => {
      const table = [...Array<number>(KEY_BYTES).fill(7), 1, 0, 0];
      return Uint8Array.from([0x80, ...message, 1, ...table]);
    },
  ],
];

function versionZero(message: Uint8Array): Uint8Array {
  return Uint8Array.from([0x80, ...message, 0]);
}

/** The last two keys are programs: their places change, and every use with them. */
function swappedKeys(message: Uint8Array): Uint8Array {
  const bytes = Buffer.from(message);
  const keys = bytes[3] as number;
  const [last, other] = [keys - 1, keys - 2].map((key) => KEYS_AT + key * KEY_BYTES) as [
    number,
    number,
  ];
  const kept = Buffer.from(bytes.subarray(last, last + KEY_BYTES));
  bytes.copy(bytes, last, other, other + KEY_BYTES);
  kept.copy(bytes, other);
  swapPlaces(bytes, KEYS_AT + keys * KEY_BYTES + KEY_BYTES, keys - 1, keys - 2);
  return bytes;
}

function swapPlaces(bytes: Buffer, instructions_at: number, one: number, other: number): void {
  let at = instructions_at;
  const swap = () => {
    if (bytes[at] === one) bytes[at] = other;
    else if (bytes[at] === other) bytes[at] = one;
    at += 1;
  };
  const count = bytes[at] as number;
  at += 1;
  for (let index = 0; index < count; index += 1) {
    swap();
    const accounts = bytes[at] as number;
    at += 1;
    for (let account = 0; account < accounts; account += 1) swap();
    at += 1 + (bytes[at] as number);
  }
}

/** One more key behind the last one; it counts as one that is read. */
function withKey(message: Uint8Array, fill: number): Uint8Array {
  const keys = message[3] as number;
  const at = KEYS_AT + keys * KEY_BYTES;
  const longer = [
    ...message.subarray(0, at),
    ...Array<number>(KEY_BYTES).fill(fill),
    ...message.subarray(at),
  ];
  longer[2] = (message[2] as number) + 1;
  longer[3] = keys + 1;
  return Uint8Array.from(longer);
}
