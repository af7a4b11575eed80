import { runEmbedded } from '@tender/embedded';
import { Faults, withFaults } from './faults';

// The program with a fault in front of one of its ports. Only tests start it.
const { FAULT, HANGS } = process.env;
if (!FAULT && !HANGS) {
  throw new Error('FAULT names the point to die at, append.after:3, or HANGS a part of the URLs that never answer');
}
const faults = new Faults(FAULT);
void runEmbedded({ decorate: (parts) => withFaults(parts, faults, HANGS) });
