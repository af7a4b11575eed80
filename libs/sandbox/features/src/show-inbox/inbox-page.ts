import type { InboxMail } from '@tender/eventing';
import { escaped } from '@tender/mail';

const SHEET = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{max-width:44rem;margin:0 auto;padding:1.5rem 1rem;overflow-wrap:anywhere}
h1{margin:0 0 .25rem;font-size:1.5rem}
ul{list-style:none;margin:1.5rem 0 0;padding:0}
li{padding:1rem 0;border-top:1px solid color-mix(in srgb,currentColor 25%,transparent)}
h2{margin:0;font-size:1.0625rem}
p{margin:.125rem 0}
summary{padding:.25rem 0;cursor:pointer}
pre{margin:.5rem 0 0;white-space:pre-wrap;font:.875rem/1.5 ui-monospace,monospace}
a{color:inherit}
:focus-visible{outline:3px solid Highlight;outline-offset:2px}`;

/** The part of its Message-ID that can stand in a path as it is. */
export const pathIdOf = ({ message_id }: Pick<InboxMail, 'message_id'>): string =>
  message_id.slice(1, message_id.indexOf('@'));

/** The newest of `total` mails, newest first, as a page for people who try the program. */
export function inboxPage(mails: readonly InboxMail[], total: number): string {
  const shown = total > mails.length ? `The newest ${mails.length} of ${total} mails.` : countOf(total);
  const list = mails.length === 0 ? '' : `<ul>\n${mails.map(item).join('\n')}\n</ul>\n`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Inbox</title>
<style>${SHEET}</style>
</head>
<body>
<main>
<h1>Inbox</h1>
<p>Mails go nowhere else while <code>SMTP_URL</code> is not set. ${shown}
They are kept in memory, and are gone when the process ends.</p>
${list}</main>
</body>
</html>
`;
}

function countOf(total: number): string {
  if (total === 0) return 'None was sent yet: send an invoice to see one.';
  return total === 1 ? 'One mail.' : `${total} mails.`;
}

function item(mail: InboxMail): string {
  const { subject, to, from_name, sent_at, language, mode, text } = mail;
  const address = `/dev/inbox/${pathIdOf(mail)}`;
  const name = to.name === '' ? '' : `${to.name} `;
  return `<li>
<h2><a href="${escaped(address)}" lang="${language}">${escaped(subject)}</a></h2>
<p>To ${escaped(`${name}<${to.address}>`)}</p>
<p>From ${escaped(from_name)}, ${mode} mode, <time datetime="${escaped(sent_at)}">${escaped(sent_at)}</time></p>
<details><summary>As plain text</summary><pre lang="${language}">${escaped(text)}</pre></details>
</li>`;
}
