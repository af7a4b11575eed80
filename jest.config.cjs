// `*.spec.ts` are fast and need nothing; `*.slice.spec.ts`, `*.conformance.spec.ts` and `*.scenario.ts`
// start real parts (Postgres, the local chain, the whole program). `npm run check` runs the first kind only.
module.exports = {
  testEnvironment: 'node',
  testMatch: ['<rootDir>/{libs,apps,tools}/**/src/**/*.spec.ts', '<rootDir>/apps/scenarios/src/**/*.scenario.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  moduleFileExtensions: ['js', 'mjs', 'cjs', 'ts', 'tsx', 'json', 'node'],
  modulePathIgnorePatterns: ['/dist/'],
  testEnvironmentOptions: { customExportConditions: ['source', 'node', 'require', 'default'] },
  transformIgnorePatterns: [],
  transform: { '\\.(tsx?|js|mjs)$': require.resolve('./scripts/jest-transformer.cjs') },
  setupFilesAfterEnv: [require.resolve('./scripts/jest-patience.cjs')],
  // Only ends what hangs: a machine that does something else besides may be slow.
  testTimeout: 600_000,
};
