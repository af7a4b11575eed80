import { createRequire } from 'node:module';
import path from 'node:path';
import type { Faultable, RunServiceOptions } from '@tender/runtime';
import { Faults, withFaults } from './faults';

// A service with a fault in front of its ports. Only tests start it, in the place of the service.
const { FAULT, HANGS, TENDER_SERVICE: name = '' } = process.env;
const faults = new Faults(FAULT);
faults.armOnSignal();
const main = path.resolve(__dirname, '../../../../dist', `${name}.js`);
type Main = { run(options: RunServiceOptions): Promise<void> };
const { run } = createRequire(__filename)(main) as Main;
void run({ decorate: (parts: Faultable) => withFaults(parts, faults, HANGS) });
