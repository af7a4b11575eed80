/*
 * What the page knows on which a merchant allows something by a passkey. It uses nothing that browsers lack, and
 * nothing of keys and shares.
 */
export {
  approvalUrl,
  readApproval,
  type ApprovalRequest,
  type ReadRequest,
  type RequestFault,
} from './proof/approval-request';
export { challengeFor, challengeText, type ProvenOperation } from './proof/challenge';
export type { Proof } from './proof/proof';
