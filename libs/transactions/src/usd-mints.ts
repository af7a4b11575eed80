/** The mints of the dollars of the public networks; each is on its network alone. */
export const MAINNET_MINTS = {
  USDC: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  USDT: 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB',
} as const;
/** Devnet has no USDT of its own. */
export const DEVNET_MINTS = {
  ...MAINNET_MINTS,
  USDC: '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU',
} as const;

/** Where each may be found. */
export const USD_MINTS: Readonly<Record<'USDC' | 'USDT', readonly string[]>> = {
  USDC: [MAINNET_MINTS.USDC, DEVNET_MINTS.USDC],
  USDT: [MAINNET_MINTS.USDT],
};
