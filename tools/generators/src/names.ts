import type { Words } from './files';

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
const pascal = (kebab: string): string => kebab.split('-').map(capital).join('');
const camel = (kebab: string): string => {
  const whole = pascal(kebab);
  return whole.charAt(0).toLowerCase() + whole.slice(1);
};
const snake = (kebab: string): string => kebab.replaceAll('-', '_');
const spaced = (kebab: string): string => kebab.replaceAll('-', ' ');

/** `ArchivePlan` → `archive-plan` */
const kebabOf = (name: string): string =>
  name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '-').toLowerCase();

const withLast = (kebab: string, by: (word: string) => string): string => {
  const words = kebab.split('-');
  return [...words.slice(0, -1), by(words.at(-1) as string)].join('-');
};

/** Plain plurals; others are told by `--plural`. */
export const pluralOf = (noun: string): string =>
  withLast(noun, (word) => {
    if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
    return /(?:s|x|z|ch|sh)$/.test(word) ? `${word}es` : `${word}s`;
  });

/** Plain past participles; others are told by `--past`. */
export function pastOf(verb: string): string {
  const [first = '', ...rest] = verb.split('-');
  const past = /[^aeiou]y$/.test(first) ? `${first.slice(0, -1)}ied` : first.replace(/e?$/, 'ed');
  return [past, ...rest].join('-');
}

export const contextWords = (context: string): Words => ({
  context,
  Context: pascal(context),
  contextVar: camel(context),
  context_words: spaced(context),
  Context_words: capital(spaced(context)),
  schema: snake(context),
});

export function nounWords(context: string, noun: string, plural = pluralOf(noun)): Words {
  const article = /^[aeio]/.test(noun) ? 'an' : 'a';
  return {
    ...contextWords(context),
    noun,
    Noun: pascal(noun),
    nounVar: camel(noun),
    noun_field: snake(noun),
    NOUN: snake(noun).toUpperCase(),
    noun_words: spaced(noun),
    a_noun: `${article} ${spaced(noun)}`,
    A_noun: `${capital(article)} ${spaced(noun)}`,
    nouns: plural,
    Nouns: pascal(plural),
    nounsVar: camel(plural),
    nouns_field: snake(plural),
    nouns_words: spaced(plural),
  };
}

/** `Archive` and `ArchivePlan` are the same command to a plan. */
export function commandWords(words: Words, name: string, past_told?: string): Words {
  const { noun = '', Noun = '' } = words;
  const verb = kebabOf(name.endsWith(Noun) && name !== Noun ? name.slice(0, -Noun.length) : name);
  const past = past_told ?? pastOf(verb);
  return {
    ...words,
    verb,
    verbVar: camel(verb),
    Verb_words: capital(spaced(verb)),
    command: `${verb}-${noun}`,
    Command: pascal(verb) + Noun,
    commandVar: camel(verb) + Noun,
    VERB: snake(verb).toUpperCase(),
    past,
    past_field: snake(past),
    past_words: spaced(past),
    ...eventWords(words, past),
  };
}

/** What has happened: `PlanArchived`. */
export function eventWords({ noun = '', Noun = '', nounVar = '' }: Words, past: string): Words {
  return { event: `${noun}-${past}`, Event: Noun + pascal(past), eventVar: nounVar + pascal(past) };
}
