import type { Scenario } from '../bench';
import { append } from './append';
import { boot } from './boot';
import { confirmLatency } from './confirm-latency';
import { createPayment } from './create-payment';
import { indexerBlock } from './indexer-block';
import { memory } from './memory';
import { statusPoll } from './status-poll';
import { webhooks } from './webhooks';

export const SCENARIOS: readonly Scenario[] = [
  createPayment,
  statusPoll,
  append,
  webhooks,
  indexerBlock,
  confirmLatency,
  memory,
  boot,
];
