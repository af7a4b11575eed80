import { addressSetting, CONTEXTS, SERVICES } from '@tender/contracts';

/** A file that cannot derive what it says from the catalogue, because others read it as it is. */
export interface StaticFile {
  readonly path: string;
  /** The names that it has, of one kind: contexts, services. */
  readonly names: RegExp;
  /** Those of the catalogue. */
  readonly expected: readonly string[];
  /** What is to be written for a name that is missing. */
  readonly lines: (name: string) => string;
}

const contexts = Object.keys(CONTEXTS);
const addresses = SERVICES.map(addressSetting);

/** Apps that are no service. */
const OTHER_APPS = ['embedded', 'distributed', 'cli', 'scenarios'];

const COMPOSE = 'docker-compose.yml';
const VALUES = 'deploy/helm/tender/values.schema.json';

/** Every list of contexts or services outside of the catalogue. */
export const STATIC_FILES: readonly StaticFile[] = [
  {
    path: 'package.json',
    names: /"libs\/([\w-]+)\/\*"/g,
    expected: [...contexts, 'adapters'],
    lines: (name) => `"libs/${name}/*",`,
  },
  {
    path: 'package-lock.json',
    names: /^ {4}"node_modules\/@tender\/([\w-]+)-features": \{$/gm,
    expected: contexts,
    lines: () => 'what `npm install --ignore-scripts` and `node scripts/complete-lockfile.mjs` write',
  },
  {
    path: 'tsconfig.json',
    names: /"path": "libs\/([\w-]+)\/features"/g,
    expected: contexts,
    lines: (name) => `{ "path": "libs/${name}/features" },`,
  },
  {
    path: 'libs/composition/package.json',
    names: /"@tender\/([\w-]+)-features"/g,
    expected: contexts,
    lines: (name) => `"@tender/${name}-features": "0.1.0",`,
  },
  {
    path: 'libs/composition/tsconfig.json',
    names: /"path": "\.\.\/([\w-]+)\/features"/g,
    expected: contexts,
    lines: (name) => `{ "path": "../${name}/features" },`,
  },
  ...contexts.map((context) => tagsOf(`libs/${context}/features/package.json`, [
    'type:feature',
    `scope:${context}`,
  ])),
  ...SERVICES.map((service) => tagsOf(`apps/${service}/package.json`, ['type:app', 'scope:app'])),
  {
    path: 'tsconfig.json',
    names: /"path": "apps\/([\w-]+)"/g,
    expected: [...SERVICES, ...OTHER_APPS],
    lines: (name) => `{ "path": "apps/${name}" },`,
  },
  {
    path: COMPOSE,
    names: /^ {2}([\w-]+):\n {4}<<: \*service$/gm,
    expected: SERVICES,
    lines: (name) => `  ${name}:\n    <<: *service\n    command: [apps/${name}]`,
  },
  {
    path: COMPOSE,
    names: /^ {4}command: \[apps\/([\w-]+)\]$/gm,
    expected: SERVICES,
    lines: (name) => `    command: [apps/${name}]`,
  },
  {
    path: COMPOSE,
    names: /^ {2}(\w+): http:\/\/[\w-]+:808\d$/gm,
    expected: addresses,
    lines: (name) => `  ${name}: http://${nameIn(name)}:8080`,
  },
  {
    path: 'deploy/prometheus/prometheus.yml',
    names: /^ {2}- job_name: ([\w-]+)$/gm,
    expected: SERVICES,
    lines: (name) =>
      `  - job_name: ${name}\n    dns_sd_configs: [{ names: [${name}], type: A, port: 9464 }]`,
  },
  {
    path: 'deploy/prometheus/prometheus.yml',
    names: /dns_sd_configs: \[\{ names: \[([\w-]+)\]/g,
    expected: SERVICES,
    lines: (name) => `    dns_sd_configs: [{ names: [${name}], type: A, port: 9464 }]`,
  },
  {
    path: 'deploy/helm/tender/values.yaml',
    names: /^ {2}([\w-]+):\n {4}replicas:/gm,
    expected: SERVICES,
    lines: (name) => `  ${name}:\n    replicas: 2\n    resources: …\n    env: {}`,
  },
  {
    path: VALUES,
    names: /"([\w-]+)": \{\s+"\$ref": "#\/\$defs\/service"/g,
    expected: SERVICES,
    lines: (name) => `"${name}": { "$ref": "#/$defs/service" },`,
  },
];

function tagsOf(path: string, tags: readonly string[]): StaticFile {
  return {
    path,
    names: /"((?:type|scope):[\w-]+)"/g,
    expected: tags,
    lines: (tag) => `"${tag}" in nx.tags`,
  };
}

function nameIn(setting: string): string {
  return SERVICES.find((service) => addressSetting(service) === setting) ?? setting;
}

/** What is to be added to the file, and what the catalogue does not know of it. */
export function faultsOf({ path, names, expected, lines }: StaticFile, text: string): string[] {
  const found = [...text.matchAll(names)].map(([, name]) => String(name));
  const missing = expected.filter((name) => !found.includes(name));
  const unknown = found.filter((name) => !expected.includes(name));
  return [
    ...missing.map((name) => `${path} lacks ${name}. Add:\n${lines(name)}`),
    ...unknown.map((name) => `${path} names ${name}, which the catalogue does not know. Remove it.`),
  ];
}
