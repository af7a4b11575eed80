import path from 'node:path';
import { runEmbedded } from '@tender/embedded';
import { Faults, withFaults } from './faults';

// The program with a fault in front of one of its ports. Only tests start it.
const { FAULT, HANGS } = process.env;
const faults = new Faults(FAULT);
faults.armOnSignal();
void runEmbedded({
  decorate: (parts) => withFaults(parts, faults, HANGS),
  work_main: path.resolve(__dirname, '../../../../dist/faulty-work.js'),
});
