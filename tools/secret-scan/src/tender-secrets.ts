import type { SecretLintRuleCreator } from '@secretlint/types';
import { Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import { hasApiKeyForm } from '@tender/contracts';

interface SecretForm {
  /** What is said where one is found; it never shows the secret. */
  readonly says: string;
  readonly pattern: RegExp;
  /** Proves that the text is such a secret, where its form alone is shared by what is public. */
  readonly isProven?: (text: string) => boolean;
}

/**
 * Secrets that the preset does not know: Tender's own, Solana's, and forms of which it knows a part. An API key has a
 * checksum, and the second half of a Solana key is the public key of the first, so neither a key that was made up for a
 * test nor a signature (64 bytes as well) is taken for one.
 */
export const SECRET_FORMS = {
  api_key: {
    says: 'an API key of a merchant',
    pattern: /(?<![0-9A-Za-z])svc_(?:test|live)_[0-9A-Za-z]{49}(?![0-9A-Za-z])/g,
    isProven: hasApiKeyForm,
  },
  admin_token: { says: 'an admin token', pattern: /(?<![0-9A-Za-z])svc_admin_[\w-]{32,}/g },
  webhook_secret: {
    says: 'a webhook secret',
    pattern: /(?<![0-9A-Za-z])whsec_[0-9A-Za-z+/]{32,86}={0,2}/g,
  },
  client_secret: {
    says: 'the client secret of a payment intent',
    pattern: /(?<![0-9A-Za-z])pi_(?:test|live)_[0-9A-Za-z]{22}_secret_[0-9A-Za-z]{43}(?![0-9A-Za-z])/g,
  },
  solana_key_array: {
    says: 'a secret key of Solana, as the bytes of a key file',
    pattern: /\[(?:(?:\s|\\[nrt])*\d{1,3}(?:\s|\\[nrt])*,){63}(?:\s|\\[nrt])*\d{1,3}(?:\s|\\[nrt])*,?(?:\s|\\[nrt])*\]/g,
    isProven: (text) => isSolanaKey(Uint8Array.from(text.match(/\d+/g) ?? [], Number)),
  },
  solana_key_base58: {
    says: 'a secret key of Solana, in base58',
    pattern: /(?<![0-9A-Za-z])[1-9A-HJ-NP-Za-km-z]{80,88}(?![0-9A-Za-z])/g,
    isProven: (text) => isSolanaKey(bs58.decode(text)),
  },
  private_key: {
    says: 'a private key in PEM',
    pattern: /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----(?:\s|\\[nr])*[0-9A-Za-z+/=][^-]{30,}/g,
  },
  password_in_url: {
    says: 'an address with a password in it',
    pattern: /(?<![a-z0-9])[a-z][a-z0-9+.-]*:\/\/[^\s:/?#@"'`<>[\]{}()\\|$]*:[^\s/?#@"'`<>[\]{}()\\|$]+@(?=[0-9A-Za-z[])/gi,
  },
  key_in_url: {
    says: 'an address of a node with its key',
    pattern: /[?&](?:api[-_]?key|access[-_]?token|token)=[0-9A-Za-z_-]{16,}/gi,
  },
  setting: {
    says: 'a secret setting with its value',
    pattern:
      /\b(?:MASTER_KEY|INTERNAL_SECRET|[A-Z_]*(?:PASSWORD|TOKEN))["']?\s*[:=]\s*["']?[0-9A-Za-z+/_-]{32,}={0,2}(?![\w.(])/g,
  },
} as const satisfies Record<string, SecretForm>;

function isSolanaKey(bytes: Uint8Array): boolean {
  try {
    return Keypair.fromSecretKey(bytes) !== null;
  } catch {
    return false;
  }
}

const FORMS = Object.entries<SecretForm>(SECRET_FORMS);

/** The rule of secretlint that finds them. */
export const tenderSecrets: SecretLintRuleCreator = {
  messages: Object.fromEntries(FORMS.map(([name, { says }]) => [name, { en: () => says }])),
  meta: { id: 'tender-secrets', type: 'scanner', recommended: true, supportedContentTypes: ['text'] },
  create(context) {
    const translate = context.createTranslator(tenderSecrets.messages);
    return {
      file({ content }) {
        for (const [name, { pattern, isProven }] of FORMS) {
          for (const { 0: text, index } of content.matchAll(pattern)) {
            if (isProven && !isProven(text)) continue;
            context.report({ message: translate(name), range: [index, index + text.length] });
          }
        }
      },
    };
  },
};
