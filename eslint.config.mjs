// The rules of docs/architecture.md that a machine can hold. Run it with `npm run check`: without nx's project graph,
// which that makes, the boundary rule skips itself and passes.
import nx from '@nx/eslint-plugin';
import tseslint from 'typescript-eslint';
import { CONTEXTS } from './scripts/catalogue.mjs';
import { tenderRules } from './scripts/lint-rules.mjs';

const SPECS = ['**/*.spec.ts', '**/testing/**/*.ts', 'apps/scenarios/**/*.ts'];

/** Which type of project may import which (architecture.md §3), and the packages that it may not touch. */
const FRAMEWORKS = [
  '@nestjs/*',
  'typeorm',
  'rxjs',
  'fastify',
  'kafkajs',
  '@eventstore/*',
  '@kurrent/*',
  '@solana/*',
];
const SOCKETS = ['pg', 'undici', 'ws', 'litesvm', 'nodemailer'];
const types = [
  { type: 'kernel', mayImport: [], banned: ['*'] },
  { type: 'contracts', mayImport: ['kernel'], banned: [...FRAMEWORKS, ...SOCKETS] },
  { type: 'domain', mayImport: ['kernel'], banned: [...FRAMEWORKS, ...SOCKETS, 'class-*'] },
  { type: 'transactions', mayImport: ['kernel'], banned: [...FRAMEWORKS, ...SOCKETS, 'class-*'] },
  { type: 'threshold', mayImport: ['transactions', 'kernel'], banned: [...FRAMEWORKS, ...SOCKETS, 'class-*'] },
  // Holds shares of keys: nothing of the rest of the program, and few packages.
  { type: 'signer', mayImport: ['signer', 'threshold', 'transactions', 'kernel'], banned: [...FRAMEWORKS, 'class-*', 'undici', 'ws', 'litesvm', 'nodemailer'] },
  { type: 'eventing', mayImport: ['kernel'], banned: [...FRAMEWORKS, ...SOCKETS, 'class-*'] },
  { type: 'mail', mayImport: ['eventing', 'kernel'], banned: [...FRAMEWORKS, ...SOCKETS, 'class-*'] },
  { type: 'adapter', mayImport: ['eventing', 'threshold', 'transactions', 'kernel'], banned: [] },
  { type: 'http', mayImport: ['contracts', 'eventing', 'kernel'], banned: ['typeorm', 'pg'] },
  { type: 'edge', mayImport: ['contracts', 'eventing', 'http', 'kernel'], banned: ['typeorm', 'pg'] },
  {
    type: 'feature',
    mayImport: ['domain', 'page', 'contracts', 'eventing', 'mail', 'http', 'threshold', 'transactions', 'kernel'],
    banned: ['kafkajs', '@eventstore/*', '@kurrent/*', ...SOCKETS],
  },
  // For the server and for browsers: what a page knows, it was told.
  {
    type: 'page',
    mayImport: ['page', 'contracts', 'threshold', 'kernel'],
    banned: [...FRAMEWORKS.filter((name) => name !== '@solana/*'), '@solana/kit', '@solana/web3.js', ...SOCKETS],
  },
  { type: 'runtime', mayImport: ['adapter', 'eventing', 'http', 'kernel'], banned: [] },
  { type: 'composition', mayImport: ['feature', 'contracts', 'http'], banned: [] },
  {
    type: 'app',
    mayImport: [
      'feature',
      'composition',
      'edge',
      'http',
      'runtime',
      'contracts',
      'adapter',
      'eventing',
      'transactions',
      'kernel',
      'tool',
    ],
    banned: [],
  },
  {
    type: 'tool',
    mayImport: ['tool', 'contracts', 'adapter', 'eventing', 'signer', 'threshold', 'transactions', 'kernel'],
    banned: [],
  },
];

/** Contexts meet only in what is shared. */
const contexts = Object.keys(CONTEXTS);
const scopes = [
  { scope: 'shared', mayImport: ['shared'] },
  ...contexts.map((context) => ({ scope: context, mayImport: [context, 'shared'] })),
  { scope: 'signer', mayImport: ['signer', 'shared'] },
  { scope: 'approval', mayImport: ['approval', 'shared'] },
  { scope: 'tool', mayImport: ['tool', 'signer', 'shared'] },
  { scope: 'app', mayImport: [...contexts, 'approval', 'signer', 'app', 'tool', 'shared'] },
];

const boundaries = {
  // Of a project's own `imports`: one file in browsers, another in Node.
  allow: ['^#'],
  enforceBuildableLibDependency: false,
  checkDynamicDependenciesExceptions: [],
  depConstraints: [
    ...types.map(({ type, mayImport, banned }) => ({
      sourceTag: `type:${type}`,
      onlyDependOnLibsWithTags: mayImport.map((other) => `type:${other}`),
      bannedExternalImports: banned,
    })),
    ...scopes.map(({ scope, mayImport }) => ({
      sourceTag: `scope:${scope}`,
      onlyDependOnLibsWithTags: mayImport.map((other) => `scope:${other}`),
    })),
  ],
};

/** Time, chance and the world come in through the Runtime's ports. */
const CLOCK = 'Time comes from the Clock port (or, for text, from isoTime).';
const globals = {
  time: [{ name: 'Date', message: CLOCK }, { name: 'performance', message: CLOCK }],
  timers: ['setTimeout', 'setInterval', 'setImmediate'].map((name) => ({
    name,
    message: 'Waiting belongs to adapters and to the loops of workers.',
  })),
  world: ['fetch', 'WebSocket', 'XMLHttpRequest', 'EventSource'].map((name) => ({
    name,
    message: 'The world is reached through a port of the Runtime.',
  })),
  process: [
    { name: 'process', message: 'Settings come in from the app.' },
    { name: 'console', message: 'Say it through the Log port.' },
  ],
};
const noChance = ['error', { object: 'Math', property: 'random', message: 'Chance is the Random port.' }];

/** Types of such a module may be imported: they do nothing. */
const nodeModules = (names, message) =>
  names.flatMap((name) => [
    { name, message, allowTypeImports: true },
    { name: `node:${name}`, message, allowTypeImports: true },
  ]);
const SOCKET_MODULES = nodeModules(
  ['net', 'tls', 'dgram', 'dns', 'dns/promises', 'http', 'https', 'http2', 'child_process', 'cluster'],
  'Sockets and processes belong to adapters.',
);
const TIMER_MODULES = nodeModules(
  ['timers', 'timers/promises'],
  'Waiting belongs to adapters and to the loops of workers.',
);
const FILE_MODULES = nodeModules(['fs', 'fs/promises', 'os'], 'Files belong to adapters.');
const CHANCE_IMPORTS = nodeModules(['crypto'], 'Chance is the Random port.').map((path) => ({
  ...path,
  importNames: ['randomBytes', 'randomUUID', 'randomInt', 'randomFill', 'webcrypto'],
}));

const restrictImports = (...paths) => ['error', { paths: paths.flat() }];

/** The domain is synchronous, deterministic and silent: a decision can be tested in a microsecond. */
const purity = [
  ['AwaitExpression', 'The domain is synchronous.'],
  [':function[async=true]', 'The domain is synchronous.'],
  ['ThrowStatement', 'A refusal is returned; what cannot be is stated with invariant().'],
  [
    'CallExpression[callee.name=/^(Number|parseFloat|parseInt)$/]',
    'Money is a bigint; text is read by parseDecimal.',
  ],
  [
    'CallExpression[callee.object.name="Number"][callee.property.name=/^parse/]',
    'Money is a bigint; text is read by parseDecimal.',
  ],
].map(([selector, message]) => ({ selector, message }));

/** Neither a clock, nor a timer, nor the network, nor the process: they come in through the ports. */
const noAmbientWorld = [
  'error',
  ...globals.time,
  ...globals.timers,
  ...globals.world,
  ...globals.process,
];

export default tseslint.config(
  { ignores: ['**/dist/**', '**/*.js', '**/*.cjs', '**/*.mjs', '**/*.d.ts'] },
  ...tseslint.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    plugins: { '@nx': nx, tender: tenderRules },
    rules: {
      '@nx/enforce-module-boundaries': ['error', boundaries],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/consistent-type-imports': ['off'],
      'max-lines': ['error', { max: 250, skipBlankLines: true, skipComments: true }],
      'tender/function-length': ['error', { max: 60 }],
      'max-len': [
        'error',
        {
          code: 100,
          comments: 120,
          ignoreUrls: true,
          ignoreStrings: true,
          ignoreTemplateLiterals: true,
          ignoreRegExpLiterals: true,
        },
      ],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
    },
  },
  {
    files: ['libs/{kernel,contracts,transactions,eventing,mail,http,edge}/src/**/*.ts', 'libs/*/features/src/**/*.ts'],
    ignores: SPECS,
    rules: {
      'no-restricted-globals': noAmbientWorld,
      'no-restricted-properties': noChance,
      '@typescript-eslint/no-restricted-imports': restrictImports(
        SOCKET_MODULES,
        TIMER_MODULES,
        FILE_MODULES,
        CHANCE_IMPORTS,
      ),
    },
  },
  {
    // The one place that turns a time into text.
    files: ['libs/kernel/src/clock.ts'],
    rules: {
      'no-restricted-globals': ['error', ...globals.timers, ...globals.world, ...globals.process],
      'no-restricted-syntax': [
        'error',
        { selector: 'MemberExpression[object.name="Date"][property.name="now"]', message: CLOCK },
        { selector: 'NewExpression[callee.name="Date"][arguments.length=0]', message: CLOCK },
      ],
    },
  },
  {
    // A worker waits for something else than an event, so it may wait.
    files: ['libs/*/features/src/**/*.worker.ts', 'libs/{eventing,mail}/src/**/*.worker.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': restrictImports(SOCKET_MODULES, FILE_MODULES, CHANCE_IMPORTS),
    },
  },
  {
    // The gateway is an HTTP server and serves pages from files.
    files: ['libs/edge/src/**/*.ts'],
    ignores: SPECS,
    rules: {
      '@typescript-eslint/no-restricted-imports': restrictImports(
        SOCKET_MODULES.filter(({ name }) => !/^(?:node:)?http$/.test(name)),
        TIMER_MODULES,
        CHANCE_IMPORTS,
      ),
    },
  },
  {
    files: ['libs/{runtime,adapters/memory}/src/**/*.ts', 'apps/*/src/**/*.ts'],
    ignores: SPECS,
    rules: { 'no-restricted-properties': noChance },
  },
  {
    files: ['libs/*/domain/src/**/*.ts'],
    ignores: SPECS,
    rules: {
      'no-restricted-globals': noAmbientWorld,
      'no-restricted-properties': noChance,
      'no-restricted-syntax': ['error', ...purity],
      '@typescript-eslint/no-restricted-imports': [
        'error',
        { patterns: [{ regex: '^(?!@tender/|\\.)', message: 'The domain imports the kernel and itself.' }] },
      ],
    },
  },
  {
    // Tests may reach for anything and may be long, but not without end.
    files: SPECS,
    rules: {
      '@nx/enforce-module-boundaries': 'off',
      'max-lines': ['error', { max: 500, skipBlankLines: true, skipComments: true }],
      'tender/function-length': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
);
