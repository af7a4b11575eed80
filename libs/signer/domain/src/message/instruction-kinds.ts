import {
  ALLOCATE_WITH_SEED,
  COMPUTE_BUDGET_PROGRAM,
  CREATE_IDEMPOTENT,
  INITIALIZE_ACCOUNT_3,
  SET_COMPUTE_UNIT_LIMIT,
  SET_COMPUTE_UNIT_PRICE,
  SYSTEM_PROGRAM,
  SYSTEM_TRANSFER,
  TOKEN_ACCOUNT_PROGRAM,
  TOKEN_PROGRAM,
  TRANSFER_CHECKED,
  type Instruction,
} from '@tender/transactions';

/** The form of one kind of instruction. */
interface Form {
  readonly program: string;
  /** What its data begins with. */
  readonly head: readonly number[];
  readonly data_bytes: number;
  readonly accounts: number;
  /** Places of the accounts that it writes. */
  readonly writes: readonly number[];
}

const ofSystem = (kind: number, data_bytes: number, writes: readonly number[]): Form => ({
  ...{ program: SYSTEM_PROGRAM, head: [kind, 0, 0, 0], data_bytes, accounts: 2, writes },
});
const ofComputeBudget = (kind: number, data_bytes: number): Form => ({
  ...{ program: COMPUTE_BUDGET_PROGRAM, head: [kind], data_bytes, accounts: 0, writes: [] },
});

/** All that a transfer is made of, in the order in which it stands there. */
const FORMS = {
  compute_limit: ofComputeBudget(SET_COMPUTE_UNIT_LIMIT, 5),
  compute_price: ofComputeBudget(SET_COMPUTE_UNIT_PRICE, 9),
  /** Of the marker, from who pays the fee. */
  rent: ofSystem(SYSTEM_TRANSFER, 12, [0, 1]),
  allocation: ofSystem(ALLOCATE_WITH_SEED, 116, [0]),
  initialization: {
    ...{ program: TOKEN_PROGRAM, head: [INITIALIZE_ACCOUNT_3], data_bytes: 33 },
    ...{ accounts: 2, writes: [0] },
  },
  creation: {
    ...{ program: TOKEN_ACCOUNT_PROGRAM, head: [CREATE_IDEMPOTENT], data_bytes: 1 },
    ...{ accounts: 6, writes: [0, 1] },
  },
  token_transfer: {
    ...{ program: TOKEN_PROGRAM, head: [TRANSFER_CHECKED], data_bytes: 10 },
    ...{ accounts: 4, writes: [0, 2] },
  },
  sol_transfer: ofSystem(SYSTEM_TRANSFER, 12, [0, 1]),
} as const satisfies Record<string, Form>;

export type InstructionKind = keyof typeof FORMS;

const KINDS = Object.keys(FORMS) as InstructionKind[];
const PROGRAMS: ReadonlySet<string> = new Set(KINDS.map((kind) => FORMS[kind].program));

/** Where in a transfer such an instruction stands. */
export const rankOf = (kind: InstructionKind): number => KINDS.indexOf(kind);

export const formOf = (kind: InstructionKind): Form => FORMS[kind];

/** Whether a transfer calls that program at all. */
export const isKnownProgram = (program: string): boolean => PROGRAMS.has(program);

/** What an instruction is, by its program and the beginning of its data; null for all that no transfer needs. */
export function kindOf(instruction: Instruction, marker: string): InstructionKind | null {
  const { program, data, accounts } = instruction;
  const kind = KINDS.find(
    (one) =>
      FORMS[one].program === program && FORMS[one].head.every((byte, at) => data[at] === byte),
  );
  // Lamports that go elsewhere than to the marker are the money itself, or an attack.
  if (kind === 'rent' && accounts[1]?.address !== marker) return 'sol_transfer';
  return kind ?? null;
}
