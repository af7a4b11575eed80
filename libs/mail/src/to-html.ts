import type { DescribedMail, MailPart } from './described-mail';
import { escaped } from './escaped';
import { WORDS } from './words';

// Many readers drop the style sheet, so each element has the light colours itself; the sheet only turns them dark.
const LIGHT = {
  ...{ ink: '#14161a', soft: '#5a606b', paper: '#ffffff', ground: '#f4f5f7', line: '#dcdfe4' },
  ...{ mark: '#fff4d6', on_mark: '#5c4300' },
};
const DARK: typeof LIGHT = {
  ...{ ink: '#eceef2', soft: '#a4abb8', paper: '#17191e', ground: '#0e0f12', line: '#2e323a' },
  ...{ mark: '#3a2f10', on_mark: '#ffdf8e' },
};

const SHEET = `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
.ground{background:${DARK.ground}!important;color:${DARK.ink}!important}
.paper{background:${DARK.paper}!important;border-color:${DARK.line}!important}
.row{border-color:${DARK.line}!important}
.ink{color:${DARK.ink}!important}
.soft{color:${DARK.soft}!important}
.mark{background:${DARK.mark}!important;color:${DARK.on_mark}!important}
.action{background:${DARK.ink}!important;color:${DARK.paper}!important}
}`;

const STYLES = {
  ground: `margin:0;padding:24px 12px;background:${LIGHT.ground};color:${LIGHT.ink};font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;-webkit-text-size-adjust:100%`,
  paper: `max-width:560px;margin:0 auto;padding:24px;background:${LIGHT.paper};border:1px solid ${LIGHT.line};border-radius:12px;overflow-wrap:anywhere;word-break:break-word`,
  mark: `margin:0 0 20px;padding:8px 12px;border-radius:8px;background:${LIGHT.mark};color:${LIGHT.on_mark};font-size:14px`,
  shop: `margin:0 0 4px;color:${LIGHT.soft}`,
  title: `margin:0 0 20px;color:${LIGHT.ink};font-size:22px;line-height:1.3;font-weight:650`,
  paragraph: `margin:0 0 16px;color:${LIGHT.ink};white-space:pre-line`,
  row: `margin:0;padding:10px 0;border-top:1px solid ${LIGHT.line}`,
  after_rows: `margin:0 0 20px;border-top:1px solid ${LIGHT.line}`,
  label: `color:${LIGHT.soft};font-size:14px`,
  value: `color:${LIGHT.ink};font-weight:550`,
  action: `display:block;margin:0 0 8px;padding:12px 16px;border-radius:10px;background:${LIGHT.ink};color:${LIGHT.paper};font-weight:600;text-align:center;text-decoration:none`,
  address: `margin:0 0 20px;color:${LIGHT.soft};font-size:13px`,
  footer: `margin:16px 0 0;color:${LIGHT.soft};font-size:14px`,
};

/** The mail as one page of HTML: no tables, no pictures, nothing that is loaded from anywhere. */
export function toHtml(mail: DescribedMail): string {
  const { mode, language, shop, subject, title, parts, why } = mail;
  const words = WORDS[language];
  const test_mode = mode === 'test' ? [element('p', 'mark', STYLES.mark, words.test_mode)] : [];
  const body = [
    ...test_mode,
    element('p', 'soft', STYLES.shop, shop?.name ?? 'Tender'),
    element('h1', 'ink', STYLES.title, title),
    ...parts.flatMap(partLines),
    element('p', 'soft', STYLES.footer, `${words.sender(shop)} ${why}`),
    element('p', 'soft', STYLES.footer, words.answer(shop)),
  ];
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escaped(subject)}</title>
<style>${SHEET}</style>
</head>
<body class="ground" style="${STYLES.ground}">
<main class="paper" style="${STYLES.paper}">
${body.join('\n')}
</main>
</body>
</html>
`;
}

function partLines(part: MailPart): readonly string[] {
  if (part.kind === 'paragraph') return [element('p', 'ink', STYLES.paragraph, part.text)];
  if (part.kind === 'action') {
    const url = escaped(part.url);
    return [
      `<a class="action" style="${STYLES.action}" href="${url}">${escaped(part.label)}</a>`,
      element('p', 'soft', STYLES.address, part.url),
    ];
  }
  const rows = part.rows.map(({ label, value }) => {
    const name = element('span', 'soft', STYLES.label, label);
    return `<p class="row" style="${STYLES.row}">${name}<br>${element('span', 'ink', STYLES.value, value)}</p>`;
  });
  return [...rows, `<div class="row" style="${STYLES.after_rows}"></div>`];
}

const element = (tag: string, colours: string, style: string, text: string): string =>
  `<${tag} class="${colours}" style="${style}">${escaped(text)}</${tag}>`;
