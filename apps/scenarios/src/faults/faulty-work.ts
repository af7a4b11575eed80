import 'reflect-metadata';
import { runWork } from '@tender/embedded';
import { Faults, withFaults } from './faults';

// The work of the program with a fault in front of one of its ports. Only tests start it.
const { FAULT, HANGS } = process.env;
const faults = new Faults(FAULT);
faults.armOnSignal();
void runWork((parts) => withFaults(parts, faults, HANGS));
