import { atEach, ofArea, type Attack } from '../attack';

export const onCrashes: readonly Attack[] = ofArea(
  'crashes',
  [
    'session_unknown',
    'a share of a signer that was killed since its commitment',
    (target) =>
      atEach(async (role) => {
        const begun = await target.begun();
        await target.field.restart(role);
        return target.share(role, begun, begun.commits);
      }),
  ],
  [
    'own_commitment_missing, and nothing is burned',
    'the commitment of before the crash in a session that was begun anew',
    (target) =>
      atEach(async (role) => {
        const { op, message, session, commits } = await target.begun();
        await target.field.restart(role);
        await target.propose(role, op, message, session);
        const word = await target.share(role, { session }, commits);
        const state = await target.stateOf(role, op);
        return state === 'reserved' ? `${word}, and nothing is burned` : `${word}, but ${state}`;
      }),
  ],
);
