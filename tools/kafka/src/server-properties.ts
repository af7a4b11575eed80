import { portToKeep } from '@tender/adapter-postgres-server/free-port';

export interface Ports {
  readonly broker: number;
  readonly controller: number;
}

/** One node that is broker and controller, for one machine: no replicas, small buffers. */
export function serverProperties({ broker, controller }: Ports, logs: string): string {
  const settings = {
    'process.roles': 'broker,controller',
    'node.id': '1',
    'controller.quorum.voters': `1@127.0.0.1:${controller}`,
    listeners: `BROKER://127.0.0.1:${broker},CONTROLLER://127.0.0.1:${controller}`,
    'advertised.listeners': `BROKER://127.0.0.1:${broker}`,
    'listener.security.protocol.map': 'BROKER:PLAINTEXT,CONTROLLER:PLAINTEXT',
    'inter.broker.listener.name': 'BROKER',
    'controller.listener.names': 'CONTROLLER',
    'log.dirs': logs,
    'auto.create.topics.enable': 'false',
    'group.initial.rebalance.delay.ms': '0',
    // The broker misses a dead member sooner than by Kafka's default of 6 s.
    'group.min.session.timeout.ms': '1000',
    'offsets.topic.replication.factor': '1',
    'offsets.topic.num.partitions': '1',
    'transaction.state.log.replication.factor': '1',
    'transaction.state.log.min.isr': '1',
    'transaction.state.log.num.partitions': '1',
    'num.network.threads': '2',
    'num.io.threads': '2',
    'num.recovery.threads.per.data.dir': '1',
    'log.cleaner.dedupe.buffer.size': '4194304',
    // The controller takes a killed broker for alive so long, and refuses the next one (9 s by default).
    'broker.session.timeout.ms': '1500',
    'broker.heartbeat.interval.ms': '300',
    // An acknowledged record outlives the process; a machine that loses power is not this tool's concern.
    'log.flush.interval.messages': '9223372036854775807',
  };
  return Object.entries(settings)
    .map(([name, value]) => `${name}=${value.replaceAll('\\', '\\\\')}\n`)
    .join('');
}

export async function freePorts(): Promise<Ports> {
  const broker = await portToKeep();
  return { broker, controller: broker + 1 };
}
