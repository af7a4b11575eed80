import { hash } from 'node:crypto';
import { readIcon, type Route } from '@tender/contracts';

const SHEET = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{max-width:44rem;margin:0 auto;padding:1.5rem 1rem;overflow-wrap:anywhere}
h1{margin:0;font-size:1.5rem}
ul{list-style:none;margin:1.5rem 0;padding:0}
li{border-top:1px solid color-mix(in srgb,currentColor 25%,transparent)}
a{display:block;padding:.75rem 0;color:inherit;text-decoration:none}
code{font:1rem/1.5 ui-monospace,monospace}
a code{text-decoration:underline}
span{display:block}
:focus-visible{outline:3px solid Highlight;outline-offset:2px}`;

/** Nothing runs, and nothing but this sheet is applied. */
export const HOME_POLICY = [
  ...["default-src 'none'", `style-src 'sha256-${hash('sha256', SHEET, 'base64')}'`],
  ...["img-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
].join('; ');

type Linked = Pick<Route, 'id' | 'path' | 'summary'>;

/** For programs: the same links by what they are called in the contract. */
export const homeLinks = (routes: readonly Linked[]): object => ({
  name: 'Tender',
  links: Object.fromEntries(routes.map(({ id, path }) => [id, path])),
});

/** Where things are, for people who open the address of the API. */
export const homePage = (routes: readonly Linked[]): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Tender</title>
<link rel="icon" href="${readIcon.path}">
<style>${SHEET}</style>
</head>
<body>
<main>
<h1>Tender</h1>
<p>Takes payments on Solana for merchants. The API is at <code>/api/v1</code>.</p>
<ul>
${routes.map(item).join('\n')}
</ul>
<p>Guides are in the folder <code>docs</code> of the repository; its <code>README.md</code> has the first payment.</p>
</main>
</body>
</html>
`;

const item = ({ path, summary }: Linked): string =>
  `<li><a href="${path}"><code>${path}</code><span>${summary}</span></a></li>`;
