/** Of the forms that begin something: sent twice, they begin one. */
export const ATTEMPT_FIELD = 'attempt';
