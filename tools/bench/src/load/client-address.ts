/** The settings of a program whose clients are told apart by what the load says of them. */
export const BEHIND_PROXY = { TRUSTED_PROXIES: '127.0.0.1/32' };

/** Of the client with that number, up to 16 million: a private address. */
export const clientAddress = (number: number): string =>
  `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`;
