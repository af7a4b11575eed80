import { readFileSync } from 'node:fs';
import path from 'node:path';
import { chainIndexer } from '@tender/chain-indexer';
import { runGateway } from '@tender/gateway';
import { payments } from '@tender/payments';
import { runService, type Faultable, type Service } from '@tender/runtime';
import { webhookDispatcher } from '@tender/webhook-dispatcher';
import { Faults, withFaults } from './faults';

// A service with a fault in front of its ports. Only tests start it, in the place of the service.
const { FAULT, HANGS, DATA_DIR = '', TENDER_SERVICE: name } = process.env;
const faults = new Faults(FAULT);
// A running process is told where to die: it looks into `fault` in the data folder when it is signalled.
process.on('SIGUSR2', () => faults.arm(readFileSync(path.join(DATA_DIR, 'fault'), 'utf8')));
const options = { decorate: (parts: Faultable) => withFaults(parts, faults, HANGS) };
const services: readonly Service[] = [payments, chainIndexer, webhookDispatcher];
const service = services.find((one) => one.name === name);
void (service ? runService(service, options) : runGateway(options));
