import { chainIndexer } from '@tender/chain-indexer';
import { runGateway } from '@tender/gateway';
import { payments } from '@tender/payments';
import { runService, type Faultable, type Service } from '@tender/runtime';
import { webhookDispatcher } from '@tender/webhook-dispatcher';
import { withFaults } from './faults';

// A service with a fault in front of one of its ports. Only tests start it, in the place of the service.
const { FAULT: fault, TENDER_SERVICE: name } = process.env;
const options = fault ? { decorate: (parts: Faultable) => withFaults(parts, fault) } : {};
const services: readonly Service[] = [payments, chainIndexer, webhookDispatcher];
const service = services.find((one) => one.name === name);
void (service ? runService(service, options) : runGateway(options));
