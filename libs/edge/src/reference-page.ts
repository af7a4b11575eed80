import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { readIcon, readOpenApi, readReferenceScript } from '@tender/contracts';
import type { SharedPage } from './answering/shared-page';

/**
 * Nothing from elsewhere: no font, proxy, analytics or frame, and no script without this page's nonce. The editor of
 * bodies writes its styles into the page and takes no nonce for them; without them its text does not show.
 */
export const referencePolicy = (nonce: string): string =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    "style-src 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const settingsOf = (api_key: string | null): object => ({
  url: readOpenApi.path,
  withDefaultFonts: false,
  telemetry: false,
  persistAuth: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  mcp: { disabled: true },
  agent: { disabled: true },
  // Whatever the public address: the policy lets the page ask where it came from.
  servers: [{ url: '/' }],
  authentication: {
    preferredSecurityScheme: 'apiKey',
    securitySchemes: { apiKey: { token: api_key ?? '' } },
  },
});

/** With a key, requests are tried as its merchant; without one the reader brings a key. */
export const referencePage = (nonce: string, api_key: string | null): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="${readIcon.path}">
<title>Tender API reference</title>
</head>
<body>
<div id="reference"></div>
<noscript>The reference needs JavaScript. The same in JSON: <a href="${readOpenApi.path}">OpenAPI</a>.</noscript>
<script nonce="${nonce}" src="${readReferenceScript.path}"></script>
<script nonce="${nonce}">Scalar.createApiReference('#reference', ${JSON.stringify(settingsOf(api_key))})</script>
</body>
</html>
`;

/** The browser bundle of the installed package; its exports name no file in that folder. */
export function referenceScript(): SharedPage {
  const main = createRequire(__filename).resolve('@scalar/api-reference');
  const file = path.join(path.dirname(main), 'browser', 'standalone.js');
  return { content_type: 'text/javascript; charset=utf-8', bytes: readFileSync(file) };
}
