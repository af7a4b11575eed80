import {
  loadAssets,
  policyOf,
  renderTrouble,
  type LoadedAssets,
} from '@tender/checkout-page';
import type { ErrorPage } from '@tender/http';
import { languageOf } from '@tender/page';

let assets: LoadedAssets | undefined;

/** What customers see where their page could not be made. It reads nothing but what the build has made. */
export const troublePage: ErrorPage = ({ lang, accept_language, ...trouble }) => {
  assets ??= loadAssets();
  const language = languageOf(lang, accept_language);
  return { html: renderTrouble({ ...trouble, language }, assets), policy: policyOf(assets) };
};
