import type { OutgoingMail } from '@tender/eventing';
import { invariant } from '@tender/kernel';
import type { DescribedMail, MailFact, MailPart } from './described-mail';
import { manyLines, oneLine } from './plain-text';
import { toHtml } from './to-html';
import { toText } from './to-text';

/** As long as a description may be: what a merchant wrote of its sale is told whole. */
const VALUE_CHARACTERS_MAX = 500;

/** Both forms of a mail, HTML and text, and its headers, out of one description. */
export function renderMail(described: DescribedMail): OutgoingMail {
  const { id, mode, merchant_id, language } = described;
  const shown = showable(described);
  const { to, shop, subject } = shown;
  return {
    ...{ id, mode, merchant_id, language, to, subject },
    from_name: shop ? `${shop.name} via Tender` : 'Tender',
    reply_to: shop && { name: shop.name, address: shop.support_email },
    text: toText(shown),
    html: toHtml(shown),
  };
}

/** The same mail with every text in the form that headers, HTML and plain text can all show. */
function showable(mail: DescribedMail): DescribedMail {
  const { to, shop } = mail;
  return {
    ...mail,
    to: { ...to, name: oneLine(to.name) },
    shop: shop && { ...shop, name: oneLine(shop.name) },
    subject: oneLine(mail.subject),
    title: oneLine(mail.title),
    why: oneLine(mail.why),
    parts: mail.parts.map(showablePart),
  };
}

function showablePart(part: MailPart): MailPart {
  if (part.kind === 'paragraph') return { ...part, text: manyLines(part.text) };
  if (part.kind === 'facts') {
    return { ...part, rows: part.rows.map(showableFact) };
  }
  invariant(/^https?:\/\/[^\s"'<>\\]+$/.test(part.url), 'a mail leads to pages alone');
  return { ...part, label: oneLine(part.label) };
}

const showableFact = ({ label, value }: MailFact): MailFact => ({
  label: oneLine(label),
  value: oneLine(value, VALUE_CHARACTERS_MAX),
});
