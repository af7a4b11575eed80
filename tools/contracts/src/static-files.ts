import { afterLast, inJson, insertAfterLast, type Put } from './put-lines';

/** A file that cannot derive what it says from the catalogue, because others read it as it is. */
export interface StaticFile {
  readonly path: string;
  /** The names that it has, of one kind: contexts, services. */
  readonly names: RegExp;
  /** Those of the catalogue. */
  readonly expected: readonly string[];
  /** What is to be written for a name that is missing. */
  readonly lines: (name: string) => string;
  /** Writes it; left out where the file is made anew or by npm. */
  readonly put?: Put;
}

/** What static files know of the catalogue. Handed in, so that generators can ask for a context that is still to be. */
export interface Catalogue {
  readonly contexts: readonly string[];
  readonly services: readonly string[];
  /** The setting that names where a service is reached. */
  readonly addressSetting: (service: string) => string;
}

/** Processes that are no service, with folders divided as those of contexts: nothing of the program is in them. */
const APART = ['signer', 'approval'];
/** Apps that are no service. */
const OTHER_APPS = ['embedded', 'distributed', 'cli', 'scenarios', ...APART];

const COMPOSE = 'docker-compose.yml';
const PROMETHEUS = 'deploy/prometheus/prometheus.yml';
const ALERTS = 'deploy/prometheus/alerts.yml';
const VALUES = 'deploy/helm/tender/values.schema.json';

/** Every list of contexts or services outside of the catalogue. */
export function staticFilesOf(catalogue: Catalogue): readonly StaticFile[] {
  const { contexts, services } = catalogue;
  const features = contexts.map((context) =>
    tagsOf(`libs/${context}/features/package.json`, ['type:feature', `scope:${context}`]),
  );
  const apps = services.map((name) =>
    tagsOf(`apps/${name}/package.json`, ['type:app', 'scope:app']),
  );
  return [...filesOfContexts(contexts), ...features, ...apps, ...filesOfServices(catalogue)];
}

function filesOfContexts(contexts: readonly string[]): StaticFile[] {
  return [
    lineIn('package.json', /"libs\/([\w-]+)\/\*"/g, [...contexts, 'adapters', ...APART], (name) =>
      `"libs/${name}/*",`,
    ),
    {
      path: 'package-lock.json',
      names: /^ {4}"node_modules\/@tender\/([\w-]+)-features": \{$/gm,
      expected: [...contexts, ...APART],
      lines: () => 'what `npm install --ignore-scripts` and `node scripts/complete-lockfile.mjs` write',
    },
    {
      path: 'tsconfig.json',
      names: /"path": "libs\/([\w-]+)\/features"/g,
      expected: [...contexts, ...APART],
      lines: (name) => `{ "path": "libs/${name}/domain" },\n{ "path": "libs/${name}/features" },`,
      put: referenceIn(/^libs\/[\w-]+\/features$/, ['libs/*/domain', 'libs/*/features']),
    },
    {
      path: 'libs/composition/package.json',
      names: /"@tender\/([\w-]+)-features"/g,
      expected: contexts,
      lines: (name) => `"@tender/${name}-features": "0.1.0",`,
      put: inJson((manifest, name) => {
        const known = Object.entries<string>(manifest.dependencies);
        const added: [string, string] = [`@tender/${name}-features`, '0.1.0'];
        const listed = insertAfterLast(known, ([other]) => other.endsWith('-features'), [added]);
        manifest.dependencies = Object.fromEntries(listed);
      }),
    },
    {
      path: 'libs/composition/tsconfig.json',
      names: /"path": "\.\.\/([\w-]+)\/features"/g,
      expected: contexts,
      lines: (name) => `{ "path": "../${name}/features" },`,
      put: referenceIn(/\/features$/, ['../*/features']),
    },
  ];
}

function filesOfServices({ services, addressSetting }: Catalogue): StaticFile[] {
  const nameIn = (setting: string): string =>
    services.find((service) => addressSetting(service) === setting) ?? setting;
  const target = (name: string) => `    dns_sd_configs: [{ names: [${name}], type: A, port: 9464 }]`;
  const addresses = services.map(addressSetting);
  return [
    {
      path: 'tsconfig.json',
      names: /"path": "apps\/([\w-]+)"/g,
      expected: [...services, ...OTHER_APPS],
      lines: (name) => `{ "path": "apps/${name}" },`,
      put: referenceIn(new RegExp(`^apps/(?!${OTHER_APPS.join('|')})`), ['apps/*']),
    },
    lineIn(COMPOSE, /^ {2}([\w-]+):\n {4}<<: \*service$/gm, services, (name) =>
      [
        ...[`  ${name}:`, '    <<: *service', `    command: [apps/${name}]`],
        '    environment: *environment',
      ].join('\n'),
    ),
    lineIn(COMPOSE, /^ {4}command: \[apps\/(?!(?:signer|approval)\])([\w-]+)\]$/gm, services, (name) =>
      `    command: [apps/${name}]`,
    ),
    lineIn(COMPOSE, /^ {2}(\w+): http:\/\/[\w-]+:808\d$/gm, addresses, (name) =>
      `  ${name}: http://${nameIn(name)}:8080`,
    ),
    lineIn(PROMETHEUS, /^ {2}- job_name: ([\w-]+)$/gm, services, (name) =>
      `  - job_name: ${name}\n${target(name)}`,
    ),
    lineIn(PROMETHEUS, /^ {4}dns_sd_configs: \[\{ names: \[([\w-]+)\].*$/gm, services, target),
    lineIn(ALERTS, /absent\(up\{job="([\w-]+)"\}\)/g, services, (name) =>
      `          or absent(up{job="${name}"})`,
    ),
    lineIn('deploy/helm/tender/values.yaml', /^ {2}([\w-]+):\n {4}replicas:/gm, services, (name) =>
      [
        ...[`  ${name}:`, '    replicas: 2', '    resources:'],
        ...['      requests: { cpu: 250m, memory: 256Mi }', '      limits: { memory: 512Mi }'],
        '    env: {}',
      ].join('\n'),
    ),
    {
      path: VALUES,
      names: /"([\w-]+)": \{\s+"\$ref": "#\/\$defs\/service"/g,
      expected: services,
      lines: (name) => `"${name}": { "$ref": "#/$defs/service" }, and "${name}" in "required"`,
      put: inJson((schema, name) => {
        const list = schema.properties.services;
        list.properties[name] = { $ref: '#/$defs/service' };
        list.required.push(name);
      }),
    },
  ];
}

/** A file with lines for each name, which come after those of the last one. */
const lineIn = (
  path: string,
  names: RegExp,
  expected: readonly string[],
  lines: (name: string) => string,
): StaticFile => ({ path, names, expected, lines, put: afterLast(names, lines) });

/** References of TypeScript's projects; `*` is the name. */
const referenceIn = (last: RegExp, paths: readonly string[]): Put =>
  inJson((config, name) => {
    const added = paths.map((path) => ({ path: path.replace('*', name) }));
    config.references = insertAfterLast(config.references, ({ path }) => last.test(path), added);
  });

function tagsOf(path: string, tags: readonly string[]): StaticFile {
  return {
    path,
    names: /"((?:type|scope):[\w-]+)"/g,
    expected: tags,
    lines: (tag) => `"${tag}" in nx.tags`,
  };
}

const namesIn = ({ names }: StaticFile, text: string): string[] =>
  [...text.matchAll(names)].map(([, name]) => String(name));

/** What is to be added to the file, and what the catalogue does not know of it. */
export function faultsOf(file: StaticFile, text: string): string[] {
  const { path, expected, lines } = file;
  const found = namesIn(file, text);
  const missing = expected.filter((name) => !found.includes(name));
  const unknown = found.filter((name) => !expected.includes(name));
  return [
    ...missing.map((name) => `${path} lacks ${name}. Add:\n${lines(name)}`),
    ...unknown.map((name) => `${path} names ${name}, which the catalogue does not know. Remove it.`),
  ];
}

/** The file with the lines of every name that it lacks. */
export function completed(file: StaticFile, text: string): string {
  const { expected, put } = file;
  if (!put) return text;
  return expected.reduce(
    (done, name) => (namesIn(file, done).includes(name) ? done : put(done, name)),
    text,
  );
}
