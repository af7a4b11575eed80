import { execFileSync } from 'node:child_process';

/** In a process of its own: what reads PDFs is loaded in a way that Jest does not take part in. */
const READ = `
  import { buffer } from 'node:stream/consumers';
  import { extractText, getDocumentProxy } from 'unpdf';
  const pdf = await getDocumentProxy(new Uint8Array(await buffer(process.stdin)));
  const { text, totalPages: pages } = await extractText(pdf, { mergePages: true });
  process.stdout.write(JSON.stringify({ text, pages }));`;

/** What a reader gets by copying all that is in it. */
export function readPdf(bytes: Buffer): { readonly text: string; readonly pages: number } {
  const node = ['--input-type=module', '-e', READ];
  const said = execFileSync(process.execPath, node, { input: bytes, cwd: __dirname, encoding: 'utf8' });
  return JSON.parse(said) as { text: string; pages: number };
}
