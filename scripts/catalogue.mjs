// Which contexts and services there are, for scripts and lint, before anything is built.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from './terminal.mjs';

const require = createRequire(import.meta.url);
require('./typescript-hook.cjs');

export const { addressSetting, CONTEXTS, GATEWAY, SERVICES } = require(
  join(root, 'libs', 'contracts', 'src', 'contexts.ts'),
);
