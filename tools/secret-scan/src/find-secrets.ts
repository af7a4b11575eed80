import { createHash } from 'node:crypto';
import { lintSource } from '@secretlint/core';
import { secretLintProfiler } from '@secretlint/profiler';
import { rules } from '@secretlint/secretlint-rule-preset-recommend';
import type { SecretLintCoreConfig, SecretLintCoreConfigRule } from '@secretlint/types';
import { tenderSecrets } from './tender-secrets';

export interface Finding {
  readonly form: string;
  readonly says: string;
  readonly line: number;
  readonly column: number;
  /** Names the secret without showing it: the first 16 hex digits of its SHA-256. */
  readonly fingerprint: string;
}

const presetRule = (name: string) => `@secretlint/secretlint-rule-${name}`;
/** `password_in_url` of Tender's rule finds both, and more of them. */
const SEEN_BETTER = new Set(['basicauth', 'database-connection-string'].map(presetRule));
const SETTINGS: Readonly<Record<string, Partial<SecretLintCoreConfigRule>>> = {
  // The number of an account is no secret, the id of a key leads to one.
  [presetRule('aws')]: { options: { enableIDScanRule: true }, allowMessageIds: ['AWSAccountID'] },
};

/** Without the preset's filter, by which a comment would switch the scan off: one list says what is allowed. */
const scanners = rules.filter(({ meta }) => meta.type === 'scanner' && !SEEN_BETTER.has(meta.id));
const CONFIG: SecretLintCoreConfig = {
  rules: [...scanners, tenderSecrets].map((rule) => {
    const { id } = rule.meta;
    return { ...SETTINGS[id], id, rule };
  }),
};

// It remembers two marks of each rule and text: a million after some thousand texts.
secretLintProfiler.setEnabled(false);

/** Every secret in the text, in the order of the text. */
export async function findSecrets(path: string, text: string): Promise<readonly Finding[]> {
  const { messages } = await lintSource({
    source: { filePath: path, content: text, contentType: 'text', ext: '' },
    options: { config: CONFIG, maskSecrets: true, noPhysicFilePath: true },
  });
  return messages.map(({ messageId, message, range, loc }) => ({
    form: messageId,
    says: message,
    line: loc.start.line,
    column: loc.start.column + 1,
    fingerprint: fingerprintOf(text.slice(...range)),
  }));
}

const fingerprintOf = (secret: string): string =>
  createHash('sha256').update(secret).digest('hex').slice(0, 16);
