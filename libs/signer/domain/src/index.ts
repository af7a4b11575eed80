export { creditOf, type CreditEvidence } from './credit-evidence';
export { judge, type Judgement, type LedgerView, type SigningRequest } from './judge';
export { faultOfMessage } from './message/message-fault';
export { operationFault } from './operation-fault';
export { judgeProof, type HeldProof, type ProofJudgement } from './proof/proof-guards';
export {
  challengeIn,
  type ApprovalOrigin,
  type PinnedPasskey,
  type ProofRequest,
} from './proof/seen-proof';
export { mintOf, type Rules } from './rules';
export { toldTransaction, type ToldTransaction } from './told-transaction';
export { usdCentsOf } from './usd-cents';
