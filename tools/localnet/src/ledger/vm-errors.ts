import type {
  FailedTransactionMetadata,
  TransactionErrorDuplicateInstruction,
  TransactionErrorInstructionError,
  TransactionErrorInsufficientFundsForRent,
} from 'litesvm/dist/internal.js';

/** A transaction error as the RPC shows it: `"AccountNotFound"`, `{InstructionError: …}` … */
export type TransactionError = string | { readonly [kind: string]: unknown };

// litesvm gives numbers; the RPC gives names. The order is litesvm's own enum.
export const TRANSACTION_ERRORS = [
  'AccountInUse', 'AccountLoadedTwice', 'AccountNotFound', 'ProgramAccountNotFound',
  'InsufficientFundsForFee', 'InvalidAccountForFee', 'AlreadyProcessed', 'BlockhashNotFound',
  'CallChainTooDeep', 'MissingSignatureForFee', 'InvalidAccountIndex', 'SignatureFailure',
  'InvalidProgramForExecution', 'SanitizeFailure', 'ClusterMaintenance',
  'AccountBorrowOutstanding', 'WouldExceedMaxBlockCostLimit', 'UnsupportedVersion',
  'InvalidWritableAccount', 'WouldExceedMaxAccountCostLimit', 'WouldExceedAccountDataBlockLimit',
  'TooManyAccountLocks', 'AddressLookupTableNotFound', 'InvalidAddressLookupTableOwner',
  'InvalidAddressLookupTableData', 'InvalidAddressLookupTableIndex', 'InvalidRentPayingAccount',
  'WouldExceedMaxVoteCostLimit', 'WouldExceedAccountDataTotalLimit',
  'MaxLoadedAccountsDataSizeExceeded', 'ResanitizationNeeded',
  'InvalidLoadedAccountsDataSizeLimit', 'UnbalancedTransaction', 'ProgramCacheHitMaxLimit',
  'CommitCancelled',
] as const;

export const INSTRUCTION_ERRORS = [
  'GenericError', 'InvalidArgument', 'InvalidInstructionData', 'InvalidAccountData',
  'AccountDataTooSmall', 'InsufficientFunds', 'IncorrectProgramId', 'MissingRequiredSignature',
  'AccountAlreadyInitialized', 'UninitializedAccount', 'UnbalancedInstruction',
  'ModifiedProgramId', 'ExternalAccountLamportSpend', 'ExternalAccountDataModified',
  'ReadonlyLamportChange', 'ReadonlyDataModified', 'DuplicateAccountIndex', 'ExecutableModified',
  'RentEpochModified', 'NotEnoughAccountKeys', 'AccountDataSizeChanged', 'AccountNotExecutable',
  'AccountBorrowFailed', 'AccountBorrowOutstanding', 'DuplicateAccountOutOfSync', 'InvalidError',
  'ExecutableDataModified', 'ExecutableLamportChange', 'ExecutableAccountNotRentExempt',
  'UnsupportedProgramId', 'CallDepth', 'MissingAccount', 'ReentrancyNotAllowed',
  'MaxSeedLengthExceeded', 'InvalidSeeds', 'InvalidRealloc', 'ComputationalBudgetExceeded',
  'PrivilegeEscalation', 'ProgramEnvironmentSetupFailure', 'ProgramFailedToComplete',
  'ProgramFailedToCompile', 'Immutable', 'IncorrectAuthority', 'AccountNotRentExempt',
  'InvalidAccountOwner', 'ArithmeticOverflow', 'UnsupportedSysvar', 'IllegalOwner',
  'MaxAccountsDataAllocationsExceeded', 'MaxAccountsExceeded',
  'MaxInstructionTraceLengthExceeded', 'BuiltinProgramsMustConsumeComputeUnits', 'BorshIoError',
] as const;

type VmError = ReturnType<FailedTransactionMetadata['err']>;

/** The error of a failed execution in the form of the RPC. */
export function transactionError(error: VmError): TransactionError {
  if (typeof error === 'number') return TRANSACTION_ERRORS[error] ?? `Unknown(${Number(error)})`;
  // The native classes share shapes, so only their names tell them apart.
  const kind = error.constructor.name.replace('TransactionError', '');
  if (kind === 'InstructionError') {
    return instructionError(error as TransactionErrorInstructionError);
  }
  if (kind === 'DuplicateInstruction') {
    return { DuplicateInstruction: (error as TransactionErrorDuplicateInstruction).index };
  }
  const { accountIndex } = error as TransactionErrorInsufficientFundsForRent;
  return { [kind]: { account_index: accountIndex } };
}

function instructionError(error: TransactionErrorInstructionError): TransactionError {
  const cause = error.err();
  if (typeof cause === 'number') {
    const name = INSTRUCTION_ERRORS[cause] ?? `Unknown(${Number(cause)})`;
    return { InstructionError: [error.index, name] };
  }
  const detail = 'code' in cause ? { Custom: cause.code } : { BorshIoError: cause.msg };
  return { InstructionError: [error.index, detail] };
}

const SENTENCES: Readonly<Record<string, string>> = {
  AlreadyProcessed: 'This transaction has already been processed',
  BlockhashNotFound: 'Blockhash not found',
  AccountNotFound: 'Attempt to debit an account but found no record of a prior credit.',
  InsufficientFundsForFee: 'Insufficient funds for fee',
  InvalidAccountForFee: 'This account may not be used to pay transaction fees',
  SignatureFailure: 'Transaction did not pass signature verification',
  SanitizeFailure: 'Transaction failed to sanitize accounts offsets correctly',
  ProgramAccountNotFound: 'Attempt to load a program that does not exist',
  InvalidProgramForExecution: 'This program may not be used for executing instructions',
  AccountLoadedTwice: 'Account loaded twice',
  AddressLookupTableNotFound: "Transaction loads an address table account that doesn't exist",
  InvalidAddressLookupTableOwner:
    'Transaction loads an address table account with an invalid owner',
  InvalidAddressLookupTableData: 'Transaction loads an address table account with invalid data',
  InvalidAddressLookupTableIndex: 'Transaction address table lookup uses an invalid index',
};

/** What a node says after `Transaction simulation failed: `. */
export function errorSentence(error: TransactionError): string {
  if (typeof error === 'string') return SENTENCES[error] ?? error;
  if (Array.isArray(error['InstructionError'])) {
    const [index, cause] = error['InstructionError'] as [number, string | { Custom?: number }];
    const custom = typeof cause === 'object' && cause.Custom !== undefined;
    const text = custom ? `custom program error: 0x${cause.Custom?.toString(16)}` : cause;
    return `Error processing Instruction ${index}: ${
      typeof text === 'string' ? text : JSON.stringify(text)
    }`;
  }
  const rent = error['InsufficientFundsForRent'] as { account_index: number } | undefined;
  if (rent) {
    const which = `an account (${rent.account_index})`;
    return `Transaction results in ${which} with insufficient funds for rent`;
  }
  return JSON.stringify(error);
}
