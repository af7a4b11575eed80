/** An instruction as a node tells it, with addresses in place of numbers. */
export interface ToldInstruction {
  readonly program: string;
  readonly accounts: readonly string[];
  /** Base58. */
  readonly data: string;
}

/** What one token account has more, or less. Balances before and after stand by themselves: their owners may differ. */
interface ToldTokens {
  readonly account: string;
  readonly owner: string;
  readonly mint: string;
  readonly program: string;
  readonly delta: bigint;
}

/** What a node’s answer says that a transaction did. */
export interface ToldTransaction {
  readonly failed: boolean;
  /** Addresses that had to sign it. */
  readonly signers: readonly string[];
  readonly tokens: readonly ToldTokens[];
  /** By address: what it has more, or less, fees included. */
  readonly lamports: ReadonlyMap<string, bigint>;
  /** Of both levels. */
  readonly instructions: readonly ToldInstruction[];
}

type Fields = Readonly<Record<string, unknown>>;

/** Thrown nowhere: what does not have the form is null, and null in one place makes the whole answer null. */
export function toldTransaction(answer: unknown): ToldTransaction | null {
  if (!isObject(answer) || !isObject(answer.transaction) || !isObject(answer.meta)) return null;
  const { meta } = answer;
  const { message } = answer.transaction;
  if (!isObject(message)) return null;
  const keys = keysOf(message, meta);
  if (keys === null) return null;
  const signers = signersOf(message);
  const tokens = tokensOf(meta, keys);
  const lamports = lamportsOf(meta, keys);
  const instructions = instructionsOf(message, meta, keys);
  if (signers === null || tokens === null) return null;
  if (lamports === null || instructions === null) return null;
  return { failed: meta.err !== null, signers, tokens, lamports, instructions };
}

/** Static keys and looked-up ones, in the order that numbers point into. */
function keysOf(message: Fields, { loadedAddresses }: Fields): readonly string[] | null {
  const { writable = [], readonly = [] } = isObject(loadedAddresses) ? loadedAddresses : {};
  const all = [message.accountKeys, writable, readonly];
  return all.every(isTexts) ? all.flat() : null;
}

/** The first of the static keys. */
function signersOf({ header, accountKeys }: Fields): readonly string[] | null {
  if (!isObject(header) || !isTexts(accountKeys)) return null;
  const { numRequiredSignatures: count } = header;
  const is_count = typeof count === 'number' && Number.isInteger(count) && count >= 1;
  return is_count && count <= accountKeys.length ? accountKeys.slice(0, count) : null;
}

function tokensOf(
  { preTokenBalances, postTokenBalances }: Fields,
  keys: readonly string[],
): ToldTokens[] | null {
  const before = listOf(preTokenBalances ?? [], (one) => tokenBalance(one, keys, -1n));
  const after = listOf(postTokenBalances ?? [], (one) => tokenBalance(one, keys, 1n));
  return before && after && [...before, ...after];
}

/** Old nodes do not say who owns an account, or which program keeps it: such a balance is of no wallet. */
function tokenBalance(told: unknown, keys: readonly string[], sign: bigint): ToldTokens | null {
  if (!isObject(told) || !isObject(told.uiTokenAmount)) return null;
  const { accountIndex, mint, owner = '', programId: program = '' } = told;
  const account = Number.isInteger(accountIndex) ? keys[accountIndex as number] : undefined;
  const { amount } = told.uiTokenAmount;
  if (account === undefined || !isText(mint) || !isText(owner) || !isText(program)) return null;
  return isText(amount) && /^\d+$/.test(amount)
    ? { account, owner, mint, program, delta: sign * BigInt(amount) }
    : null;
}

function lamportsOf(meta: Fields, keys: readonly string[]): Map<string, bigint> | null {
  const before = listOf(meta.preBalances, lamports);
  const after = listOf(meta.postBalances, lamports);
  if (before?.length !== keys.length || after?.length !== keys.length) return null;
  const delta = (index: number): bigint => (after[index] as bigint) - (before[index] as bigint);
  return new Map(keys.map((key, index) => [key, delta(index)]));
}

/** JSON carries no more exactly. */
const lamports = (told: unknown): bigint | null =>
  Number.isSafeInteger(told) ? BigInt(told as number) : null;

function instructionsOf(
  message: Fields,
  { innerInstructions }: Fields,
  keys: readonly string[],
): ToldInstruction[] | null {
  const read = (one: unknown) => instruction(one, keys);
  const top = listOf(message.instructions, read);
  const inner = listOf(innerInstructions ?? [], (told) =>
    isObject(told) ? listOf(told.instructions, read) : null,
  );
  return top && inner && [...top, ...inner.flat()];
}

function instruction(told: unknown, keys: readonly string[]): ToldInstruction | null {
  if (!isObject(told) || !isText(told.data)) return null;
  const address = (index: unknown): string | null =>
    Number.isInteger(index) ? (keys[index as number] ?? null) : null;
  const program = address(told.programIdIndex);
  const accounts = listOf(told.accounts, address);
  return program === null || accounts === null ? null : { program, accounts, data: told.data };
}

/** Null unless every one can be read. */
function listOf<Item>(told: unknown, read: (one: unknown) => Item | null): Item[] | null {
  if (!Array.isArray(told)) return null;
  const items = told.map(read);
  return items.includes(null) ? null : (items as Item[]);
}

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const isText = (value: unknown): value is string => typeof value === 'string';
const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText);
