import type { Allowed } from './allowed';
import { findSecrets, type Finding } from './find-secrets';
import { hasWholeHistory, type Text, textsOfFolder, textsOfHistory } from './texts';

export interface Scan {
  readonly texts: number;
  /** One line for each secret that is not allowed: where it is, what it is, and its fingerprint. */
  readonly found: readonly string[];
  /** What the list allows and the folder and its whole history do not have. */
  readonly unused: readonly Allowed[];
}

/** Looks into the files of a folder and, where asked and there is one, into its history. */
export async function scan(
  folder: string,
  allowed: readonly Allowed[],
  history: boolean,
): Promise<Scan> {
  const used = new Set<Allowed>();
  const found = new Map<string, string>();
  let texts = 0;
  const look = async (text: Text): Promise<void> => {
    texts += 1;
    for (const finding of await findSecrets(text.path, text.text)) {
      const entry = allowed.find((one) => isAllowed(one, text, finding));
      if (entry) used.add(entry);
      else found.set(`${text.path} ${finding.fingerprint}`, lineOf(text, finding));
    }
  };
  const is_whole = history && hasWholeHistory(folder);
  // The folder last: where a secret is there now, its line of today is shown.
  if (history) for (const text of textsOfHistory(folder)) await look(text);
  for (const text of textsOfFolder(folder)) await look(text);
  const unused = is_whole ? allowed.filter((one) => !used.has(one)) : [];
  return { texts, found: [...found.values()], unused };
}

/** A file may have had another path when it was committed; the text is known to be no secret all the same. */
const isAllowed = (one: Allowed, { path, commit }: Text, { fingerprint }: Finding): boolean =>
  one.fingerprint === fingerprint && (commit !== undefined || one.path === path);

function lineOf({ path, commit }: Text, finding: Finding): string {
  const { line, column, says, form, fingerprint } = finding;
  const when = commit ? `commit ${commit.slice(0, 12)}, ` : '';
  return `${when}${path}:${line}:${column} ${says} [${form} ${fingerprint}]`;
}
