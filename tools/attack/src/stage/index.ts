export { Battlefield } from './battlefield';
export { CeremonyRefused, type Carrier } from './hold-ceremony';
export { recoveryDouble, type RecoveryDouble } from './recovery-double';
export { runProgram, type Program, type ProgramFile } from './signer-program';
export { paidIn, Transfers, type Credited } from './transfers';
export { freshSession, TreasuryDouble } from './treasury-double';
