/** What the routes of operating wallets refuse with. */
export const NOT_READY = [
  409,
  'wallet_not_ready',
  'There is no operating wallet yet. GET /api/v1/merchants/me/wallet opens it.',
] as const;

export const NOT_FROZEN = [409, 'wallet_not_frozen', 'The operating wallet is not frozen.'] as const;
