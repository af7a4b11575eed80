import { createHash } from 'node:crypto';

export interface Allowed {
  /** The text of the one style, which is in the page itself. */
  readonly style: string;
  readonly images: readonly string[];
  /** Origins that its script may ask. */
  readonly asks: readonly string[];
  readonly forms: "'self'" | "'none'";
}

/** A Content-Security-Policy: scripts from the own origin alone, the one style by its hash, in no frame. */
export function pagePolicy({ style, images, asks, forms }: Allowed): string {
  const hash = createHash('sha256').update(style).digest('base64');
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'sha256-${hash}'`,
    `img-src ${images.join(' ')}`,
    `connect-src ${asks.join(' ')}`,
    "base-uri 'none'",
    `form-action ${forms}`,
    "frame-ancestors 'none'",
  ].join('; ');
}
