import type { DescribedMail, MailPart } from './described-mail';
import { WORDS } from './words';

/** The mail as plain text: parts are apart by an empty line. */
export function toText({ mode, language, shop, title, parts, why }: DescribedMail): string {
  const words = WORDS[language];
  const partText = (part: MailPart): string => {
    if (part.kind === 'paragraph') return part.text;
    if (part.kind === 'action') return `${words.fact(part.label, '').trimEnd()}\n${part.url}`;
    return part.rows.map(({ label, value }) => words.fact(label, value)).join('\n');
  };
  return [
    ...(mode === 'test' ? [`[${words.test_mode}]`] : []),
    title,
    ...parts.map(partText),
    '-'.repeat(10),
    `${words.sender(shop)} ${why}`,
    words.answer(shop),
  ]
    .join('\n\n')
    .concat('\n');
}
