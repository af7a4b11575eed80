/** Who holds a share of a wallet. */
export const ROLES = ['A', 'B', 'R'] as const;
/** A and B are signers that run; R is a share for disasters, sealed to a key that is offline. */
export type Role = (typeof ROLES)[number];

/** Who sends messages: the holders of shares, and treasury, which carries them and holds none. */
export const PARTIES = [...ROLES, 'treasury'] as const;
export type Party = (typeof PARTIES)[number];

/** The number of each in the polynomial of a key. */
export const NUMBER_OF: Readonly<Record<Role, number>> = { A: 1, B: 2, R: 3 };

/** Shares that sign together. */
export const THRESHOLD = 2;

/** The roles that sign for a wallet that is hosted. */
export const HOSTED_QUORUM = ['A', 'B'] as const satisfies readonly Role[];
export type HostedRole = (typeof HOSTED_QUORUM)[number];

/** Of shares that a ceremony has just made; every reshare would count one further. */
export const FIRST_EPOCH = 1;
