/** Holds what follows sponsored transactions, while this process leads: `OfLeader<FollowSponsored>`. */
export const TREASURY = Symbol('treasury');
