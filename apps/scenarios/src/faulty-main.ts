import { runEmbedded } from '@tender/embedded';
import { Faults, withFaults } from './faults';

// The program with a fault in front of one of its ports. Only tests start it.
const fault = process.env.FAULT;
if (!fault) throw new Error('FAULT names the point to die at: append.after:3');
const faults = new Faults(fault);
void runEmbedded({ decorate: (parts) => withFaults(parts, faults) });
