// What some tests need and npm does not bring: whether this machine has it, and what it takes to get it.
import { existsSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { environment, node24 } from './node24.mjs';
import { root } from './terminal.mjs';

const NEEDS = {
  kafka: {
    takes: 'Kafka: Docker, Java 17 or newer with Maven, or KAFKA_BROKERS with the address of a broker',
    isThere: () => saysOfKafka('findKafka()') !== 'null',
  },
  'kafka-process': {
    takes: 'a Kafka that can be killed: Java 17 or newer with Maven',
    isThere: () => saysOfKafka('canHaveJars()') === 'true',
  },
  git: { takes: 'git', isThere: () => answers('git', '--version') },
  chromium: {
    takes: 'Chromium: `apt-get install chromium`, or CHROMIUM with the path of one',
    isThere: () => existsSync(process.env.CHROMIUM || '/usr/bin/chromium'),
  },
  python: { takes: 'Python 3.9 or newer as python3', isThere: () => answers('python3', '--version') },
  openssl: { takes: 'bash and openssl', isThere: () => answers('bash', '-c', 'openssl version') },
  go: { takes: 'Go 1.20 or newer', isThere: () => answers('go', 'version') },
  php: { takes: 'PHP 8: `apt-get install php-cli`', isThere: () => answers('php', '--version') },
  history: {
    takes: 'the history of the repository: git, and a clone that is not shallow',
    isThere: () => {
      const { status, stdout } = git('rev-parse', '--is-shallow-repository');
      return status === 0 && stdout.trim() === 'false' && git('rev-parse', '--verify', 'HEAD~1').status === 0;
    },
  },
};

/** On Node 24, as the program asks. */
function saysOfKafka(question) {
  const asks = `Promise.resolve(require('@tender/kafka-broker').${question}).then((said) => console.log(String(said)))`;
  const options = { cwd: root, env: environment(), encoding: 'utf8' };
  const { status, stdout, stderr } = spawnSync(node24(), ['-e', asks], options);
  if (status !== 0) throw new Error(`looking for Kafka failed: ${stderr}`);
  return stdout.trim();
}

const answers = (program, ...args) => spawnSync(program, args).status === 0;

const git = (...args) => spawnSync('git', ['-C', root, ...args], { encoding: 'utf8' });

/** Of these needs, the ones that cannot be met here. */
export const missingNeeds = (names) => [...new Set(names)].filter((name) => !NEEDS[name].isThere());

export const whatItTakes = (name) => NEEDS[name].takes;
