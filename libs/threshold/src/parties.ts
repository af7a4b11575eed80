/** Who holds a share of some wallet. */
export const ROLES = ['A', 'B', 'C', 'R'] as const;
/**
 * A and B are signers that run. C is the merchant's, in a browser. R is for disasters: of a hosted wallet sealed to a
 * key that is offline, of a merchant's own in the recovery kit.
 */
export type Role = (typeof ROLES)[number];

/** Who sends messages: the holders of shares, and treasury, which carries them and holds none. */
export const PARTIES = [...ROLES, 'treasury'] as const;
export type Party = (typeof PARTIES)[number];

/** The number of each in the polynomial of a key: a share is its value there, so these stay as they are. */
export const NUMBER_OF: Readonly<Record<Role, number>> = { A: 1, B: 2, R: 3, C: 4 };

/** Shares of a wallet, and how many of them sign together. */
export const SHARES = 3;
export const THRESHOLD = 2;

/** The roles that sign for a wallet that is hosted. */
export const HOSTED_QUORUM = ['A', 'B'] as const satisfies readonly Role[];
export type HostedRole = (typeof HOSTED_QUORUM)[number];
export const HOSTED_ROLES = [...HOSTED_QUORUM, 'R'] as const satisfies readonly Role[];
export type HostedHolder = (typeof HOSTED_ROLES)[number];

/** The roles of the merchant in a wallet of its own, which sign without Tender. */
export const MERCHANT_QUORUM = ['C', 'R'] as const satisfies readonly Role[];
export const SELF_ROLES = ['A', ...MERCHANT_QUORUM] as const satisfies readonly Role[];
export type SelfHolder = (typeof SELF_ROLES)[number];

/** Of shares that a ceremony has just made; every reshare would count one further. */
export const FIRST_EPOCH = 1;
