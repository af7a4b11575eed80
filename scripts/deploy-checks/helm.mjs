// The chart: linted, rendered with the values of its ci folder, each manifest against the schemas of Kubernetes, and
// what a reviewer would look for in them.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { SERVICES } from '../catalogue.mjs';
import { root } from '../terminal.mjs';
import { unreadNames } from './environment-names.mjs';

const CHART = join(root, 'deploy', 'helm', 'tender');
const KUBERNETES = '1.34';
const COMMON = ['--kube-version', `${KUBERNETES}.0`];
/** What browsers and programs outside reach. */
const FOR_CLIENTS = ['pay-gateway', 'pay-approval'];
/** Values that the schema must refuse, and the word of the complaint. */
const REFUSED = {
  'image.tag=latest': 'image.tag: ',
  'image.digest=sha256:0123': 'image.digest: ',
  'publicUrl=http://pay.example': 'publicUrl: ',
  'approvalUrl=http://approve.pay.example': 'approvalUrl: ',
  'services.payments.replicas=0': 'services.payments.replicas: ',
  'services.gateway.env.MASTER_KEY=in-clear': 'MASTER_KEY',
  'services.gatway.replicas=2': 'gatway',
  'secrets.database.value=in-clear': 'secrets.database: ',
  'terminationGracePeriodSeconds=5': 'terminationGracePeriodSeconds: ',
  'ingress.enabled=true': 'ingress.host: ',
  'prometheusRule.docsUrl=docs': 'prometheusRule.docsUrl: ',
  'signers.enabled=true': 'signers.image.repository: ',
  [`signers.a.databaseUrl=postgres://signer_a:${'in-clear'}@db/signer_a`]: 'signers.a.databaseUrl: ',
  'signers.env.MASTER_KEY=in-clear': 'MASTER_KEY',
};

export async function checkHelm(tools, say) {
  const { helm, kubernetesValidate } = await tools.python;
  const run = (args) => spawnSync(helm, args, { encoding: 'utf8', env: { ...process.env, HOME: tmpdir() } });
  const folder = mkdtempSync(join(tmpdir(), 'tender-chart-'));
  try {
    for (const name of readdirSync(join(CHART, 'ci'))) {
      const values = ['--values', join(CHART, 'ci', name)];
      const lint = run(['lint', '--strict', CHART, ...COMMON, ...values]);
      if (lint.status !== 0) throw new Error(`helm lint with ${name}:\n${lint.stdout}${lint.stderr}`);
      const rendered = run(['template', 'pay', CHART, '--namespace', 'tender', ...COMMON, ...values]);
      if (rendered.status !== 0) throw new Error(`helm template with ${name}:\n${rendered.stderr}`);
      const file = join(folder, name);
      writeFileSync(file, rendered.stdout);
      const count = followsSchemas(kubernetesValidate, file);
      const manifests = parseAllDocuments(rendered.stdout).map((document) => document.toJS());
      const given = parse(readFileSync(join(CHART, 'ci', name), 'utf8'));
      const faults = manifests.flatMap((manifest) => {
        const { image } = isOfSigner(manifest) ? given.signers : given;
        return [...faultsOf(manifest, imageOf(image))];
      });
      faults.push(...missing(manifests), ...signerFaults(manifests, given.signers?.enabled ?? false));
      if (faults.length > 0) throw new Error(`the chart with ${name}:\n  ${faults.join('\n  ')}`);
      say(`the chart with ${name}: linted; ${count} manifests follow Kubernetes ${KUBERNETES} and the house's rules`);
    }
    refusesBadValues(run);
    say(`the chart refuses ${Object.keys(REFUSED).length} bad values, and to start from its defaults alone`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Only what the Prometheus operator defines has no schema in Kubernetes itself. */
function followsSchemas(validate, file) {
  const { status, stdout, stderr } = spawnSync(validate, ['--strict', '-k', KUBERNETES, file], {
    encoding: 'utf8',
  });
  const lines = `${stdout}${stderr}`.split('\n').filter((line) => line !== '');
  const passed = lines.filter((line) => line.startsWith('INFO') && line.includes(' passed for resource '));
  const others = lines.filter((line) => !passed.includes(line) && !/kind (?:ServiceMonitor|PrometheusRule)/.test(line));
  const foreign = lines.length - passed.length - others.length;
  if (others.length > 0 || passed.length === 0 || (status !== 0 && foreign === 0)) {
    throw new Error(`kubernetes-validate: ${others.join('\n') || `ended with ${status}`}`);
  }
  return passed.length;
}

/** A digest counts before a tag, and without either the version of the chart does. */
function imageOf({ repository, tag, digest }) {
  const { appVersion } = parse(readFileSync(join(CHART, 'Chart.yaml'), 'utf8'));
  return digest ? `${repository}@${digest}` : `${repository}:${tag ?? appVersion}`;
}

function* faultsOf({ kind, metadata, spec }, image) {
  if (kind === 'PrometheusRule') yield* alertFaults(spec.groups.flatMap(({ rules }) => rules));
  if (kind === 'Secret') yield `${metadata.name} is a Secret: only references belong here`;
  if (kind !== 'Deployment') return;
  const pod = spec.template.spec;
  const [container] = pod.containers;
  const name = metadata.name;
  const { securityContext: rights, resources } = container;
  if (!pod.securityContext?.runAsNonRoot) yield `${name} may run as root`;
  if (pod.securityContext?.seccompProfile?.type !== 'RuntimeDefault') yield `${name} has no seccomp profile`;
  if (!rights?.readOnlyRootFilesystem || rights.allowPrivilegeEscalation !== false) {
    yield `${name} may write its files or gain rights`;
  }
  if (!rights?.capabilities?.drop?.includes('ALL')) yield `${name} keeps capabilities`;
  for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
    if (!container[probe]) yield `${name} has no ${probe}`;
  }
  if (!resources?.limits?.memory || !resources.requests?.memory) yield `${name} has no memory limit or request`;
  if (!(pod.terminationGracePeriodSeconds >= 30)) yield `${name} gets no time to drain`;
  if (pod.automountServiceAccountToken !== false) yield `${name} gets a token of the cluster`;
  if (!pod.topologySpreadConstraints?.length) yield `${name} is not spread`;
  if (container.image !== image) yield `${name} runs ${container.image}, not ${image}`;
  const [project] = container.args;
  const names = container.env.map((variable) => variable.name);
  const twice = names.filter((variable, at) => names.indexOf(variable) !== at);
  for (const variable of twice) yield `${name} is given ${variable} twice`;
  for (const variable of unreadOf(project, names)) yield `${name} is given ${variable}, which ${project} does not read`;
}

/** A service that vanishes is noticed, and the person on duty finds the page. */
function* alertFaults(rules) {
  const expressions = rules.map(({ expr }) => expr).join('\n');
  for (const service of SERVICES) {
    if (!expressions.includes(`absent(up{job="${service}"})`)) yield `no alert tells that ${service} has vanished`;
  }
  for (const { alert, annotations } of rules) {
    const { runbook_url = '' } = annotations;
    if (!runbook_url.startsWith('https://wiki.pay.example/tender/operations.md#')) {
      yield `${alert} leads to ${runbook_url}, not to the docs that the values name`;
    }
  }
}

function unreadOf(project, names) {
  const written = [...SERVICES, 'approval', 'signer'].includes(project.replace('apps/', ''));
  return written ? unreadNames(project, names) : [`everything (there is no ${project} yet)`];
}

/** Every service of the code has its pods, budget, policy and account; only the dispatcher gets out. */
function* missing(manifests) {
  const has = (kind, name) => manifests.some((one) => one.kind === kind && one.metadata.name === name);
  for (const app of [...SERVICES, 'approval']) {
    for (const kind of ['Deployment', 'Service', 'ServiceAccount', 'PodDisruptionBudget', 'NetworkPolicy']) {
      if (!has(kind, `pay-${app}`)) yield `${app} has no ${kind}`;
    }
  }
  for (const { kind, metadata, spec } of manifests) {
    const is_asked = kind === 'Service' && !FOR_CLIENTS.includes(metadata.name);
    if (is_asked && spec.clusterIP !== 'None') yield `${metadata.name} hides its replicas from who asks them`;
    if (kind !== 'NetworkPolicy') continue;
    const out = spec.egress.some(({ to }) => !to || to.some((peer) => peer.ipBlock?.cidr === '0.0.0.0/0'));
    const dispatcher = metadata.name === 'pay-webhook-dispatcher';
    if (out !== dispatcher) yield `${metadata.name} ${out ? 'reaches' : 'does not reach'} the internet`;
    const open = spec.ingress.some(({ from }) => !from || from.some((peer) => !peer.podSelector));
    if (open && !FOR_CLIENTS.includes(metadata.name) && !metricsAlone(spec.ingress)) {
      yield `${metadata.name} is reached from outside of the release`;
    }
  }
}

const isOfSigner = ({ metadata }) => metadata.labels?.['app.kubernetes.io/name'] === 'tender-signer';

/** Both signers, each with what is its own; treasury alone reaches them, and they reach nothing of the release. */
function* signerFaults(manifests, wanted) {
  const own = manifests.filter(isOfSigner);
  for (const name of ['pay-signer-a', 'pay-signer-b']) {
    for (const kind of ['Deployment', 'Service', 'ServiceAccount', 'NetworkPolicy']) {
      const found = own.some((one) => one.kind === kind && one.metadata.name === name);
      if (found !== wanted) yield `${name} ${found ? 'has a' : 'has no'} ${kind}`;
    }
  }
  const pods = own.filter(({ kind }) => kind === 'Deployment').map(({ spec }) => spec.template.spec);
  const secrets = pods.map(({ volumes }) => volumes.map(({ secret, persistentVolumeClaim: claim }) => secret?.secretName ?? claim?.claimName));
  const shared = secrets[0]?.find((name) => name && secrets[1]?.includes(name));
  if (shared) yield `both signers have ${shared}`;
  for (const { kind, metadata, spec } of own) {
    if (kind === 'Deployment' && spec.replicas !== 1) yield `${metadata.name} runs more than once`;
    if (kind !== 'NetworkPolicy') continue;
    const who = spec.ingress.flatMap(({ from }) => from ?? [null]);
    const treasury = who.every((peer) => peer?.podSelector?.matchLabels?.['app.kubernetes.io/component'] === 'treasury');
    if (!treasury) yield `${metadata.name} is reached by others than treasury`;
    const inside = spec.egress.some(({ to }) => !to || to.some((peer) => peer.podSelector?.matchLabels?.['app.kubernetes.io/name']));
    if (inside) yield `${metadata.name} reaches the services`;
  }
}

/** Rules that let others in than our own pods name the port of the metrics alone. */
function metricsAlone(ingress) {
  const others = ingress.filter(({ from }) => !from || from.some((peer) => !peer.podSelector));
  return others.every(({ ports }) => ports?.length === 1 && ports[0].port === 9464);
}

function refusesBadValues(run) {
  const plain = ['--values', join(CHART, 'ci', 'plain-values.yaml')];
  for (const [value, complaint] of Object.entries(REFUSED)) {
    const { status, stderr } = run(['template', 'pay', CHART, ...COMMON, ...plain, '--set', value]);
    if (status === 0 || !stderr.includes(complaint)) throw new Error(`the chart takes ${value}: ${stderr}`);
  }
  const { status, stderr } = run(['template', 'pay', CHART, ...COMMON]);
  if (status === 0 || !stderr.includes('secrets.')) throw new Error('the chart renders without any secret named');
}
