import { add, addFolder, change, template, type Files, type Words } from './files';
import { aggregate } from './aggregate';
import { lockWorkspaces } from './lockfile';
import { contextWords } from './names';
import { ARCHITECTURE, CATALOGUE, contractOf, factsOf } from './places';
import { hostIn, serviceOf } from './service';
import { insertAfter, insertBefore, withImport, withItem } from './source-text';

/** What `load.cjs` hands in of the repository. */
export interface House {
  readonly contexts: Readonly<Record<string, unknown>>;
  readonly services: readonly string[];
  readonly addressSetting: (service: string) => string;
  readonly staticFilesOf: (typeof import('@tender/contracts-tool'))['staticFilesOf'];
  readonly completed: (typeof import('@tender/contracts-tool'))['completed'];
}

export interface ContextOptions {
  readonly name: string;
  /** It has a process of its own. */
  readonly service?: boolean;
  /** The service whose process hosts it otherwise. */
  readonly host?: string;
  /** Its first object. */
  readonly noun?: string;
}

/** A context that owns nothing yet, in its place in the program. */
export function context(files: Files, options: ContextOptions, house: House): void {
  const { name, noun } = options;
  const service = options.service ? name : (options.host ?? 'gateway');
  if (name in house.contexts) throw new Error(`There is a context ${name}.`);
  if (!options.service && !house.services.includes(service)) {
    const known = house.services.join(', ');
    throw new Error(`There is no service ${service}. One of ${known} can host ${name}.`);
  }
  const words = { ...contextWords(name), service };
  addFolder(files, 'context', `libs/${name}`, words);
  add(files, contractOf(words), template('pieces/contract.ts', words));
  add(files, factsOf(words), template('pieces/facts.ts', words));
  enterCatalogue(files, words);
  compose(files, words);
  const workspaces = [`libs/${name}/domain`, `libs/${name}/features`];
  if (options.service) workspaces.push(serviceOf(files, words));
  else workspaces.push(...hostIn(files, words));
  completeStaticFiles(files, name, service, house);
  lockWorkspaces(files, [...workspaces, 'libs/composition']);
  if (noun) aggregate(files, { context: name, noun });
}

function enterCatalogue(files: Files, words: Words): void {
  const { context: name = '', contextVar = '', service } = words;
  const key = name === contextVar ? name : `'${name}'`;
  change(files, CATALOGUE, (text) =>
    insertBefore(
      text,
      '} as const;\n\nexport type ContextName',
      `  ${key}: { service: '${service}', modes: BOTH, owns: 'nothing yet' },\n`,
    ),
  );
  change(files, 'libs/contracts/src/catalogue.ts', (text) => {
    const routed = withImport(text, `./${name}`, `${contextVar}Routes`);
    const spoken = withImport(routed, `./${name}.facts`, `${contextVar}Facts`);
    const offers = `routes: ${contextVar}Routes, facts: ${contextVar}Facts, calls: []`;
    return insertBefore(spoken, '} as const satisfies Record', `  ${key}: { ${offers} },\n`);
  });
  change(files, 'libs/contracts/src/index.ts', (text) => {
    const line = `export * from './${name}.facts';\n`;
    const facts = insertBefore(text, "export * from './facts';", line);
    return `${facts.trimEnd()}\nexport * from './${name}';\n`;
  });
  change(files, ARCHITECTURE, (text) =>
    insertAfter(
      text,
      /\| Context \| Service \|(?:.*\n)+?(?=\n)/,
      `| ${name} | ${service} | nothing yet | – | – |\n`,
    ),
  );
}

function compose(files: Files, words: Words): void {
  const { context: name = '', contextVar = '' } = words;
  const key = name === contextVar ? name : `'${name}'`;
  change(files, 'libs/composition/src/index.ts', (text) =>
    withItem(
      withImport(text, `@tender/${name}-features`, `${contextVar}Context`),
      'COMPOSITION: Readonly<Record<ContextName, HostedContext>> = {',
      `${key}: ${contextVar}Context`,
    ),
  );
}

/** The lines that the test of these files would print. */
function completeStaticFiles(files: Files, name: string, service: string, house: House): void {
  const contexts = [...Object.keys(house.contexts), name];
  const services = [...new Set([...house.services, service])];
  const { addressSetting, staticFilesOf, completed } = house;
  for (const file of staticFilesOf({ contexts, services, addressSetting })) {
    if (file.put) change(files, file.path, (text) => completed(file, text));
  }
}
