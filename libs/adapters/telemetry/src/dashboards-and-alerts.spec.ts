import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parser } from '@prometheus-io/lezer-promql';
import { INSTRUMENTS, type InstrumentName } from '@tender/eventing';
import { parse } from 'yaml';

const ROOT = path.resolve(__dirname, '../../../..');
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: { readonly severity: string };
  readonly annotations: Readonly<Record<string, string>>;
}
interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: Readonly<Record<'x' | 'y' | 'w' | 'h', number>>;
  readonly targets?: readonly { readonly expr: string }[];
}

const rules = (
  parse(read('deploy/prometheus/alerts.yml')) as { groups: readonly { rules: readonly Rule[] }[] }
).groups.flatMap((group) => group.rules);
const { panels } = JSON.parse(read('deploy/grafana/dashboards/tender.json')) as {
  readonly panels: readonly Panel[];
};
const drawn = panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr }): [string, string] => [title, expr.replaceAll('$__rate_interval', '1m')]),
);
const asked: readonly [string, string][] = [
  ...rules.map(({ alert, expr }): [string, string] => [alert, expr]),
  ...drawn,
];

const OPERATIONS = 'docs/operations.md';
/** Where an operator keeps the docs; the chart puts another address in its place. */
const DOCS = 'https://tender.example/docs';
/** What Prometheus adds by itself. */
const ADDED_LABELS = ['job', 'instance'];
const OF_PROMETHEUS = ['up'];

/** The metrics and labels that an expression names, read by Prometheus' own grammar; and what it cannot read. */
function namesIn(expr: string) {
  const metrics: string[] = [];
  const labels: string[] = [];
  const faults: string[] = [];
  parser.parse(expr).iterate({
    enter({ type, name, from, to, node }) {
      const text = expr.slice(from, to);
      if (type.isError) faults.push(`at ${from}: ${expr.slice(from, from + 20)}`);
      if (name === 'Identifier' && node.parent?.name === 'VectorSelector') metrics.push(text);
      if (name === 'LabelName') labels.push(text);
    },
  });
  return { metrics, labels, faults };
}

/** The instrument that a series belongs to, null when nothing in the program makes such a series. */
function instrumentOf(series: string): InstrumentName | null {
  const name = series.replace(/_(?:bucket|sum|count)$/, '');
  const found = (name in INSTRUMENTS ? name : series) as InstrumentName;
  if (!(found in INSTRUMENTS)) return null;
  const is_part = found !== series;
  return (INSTRUMENTS[found].kind === 'histogram') === is_part ? found : null;
}

test('a counter ends in _total, a histogram in _seconds, and each has a sentence', () => {
  for (const [name, { kind, says }] of Object.entries(INSTRUMENTS)) {
    expect(name).toMatch(/^tender_[a-z_]+$/);
    expect(name.endsWith('_total')).toBe(kind === 'counter');
    if (kind === 'histogram') expect(name).toMatch(/_seconds$/);
    expect(says.length).toBeGreaterThan(5);
  }
});

test.each(asked)('%s asks for what the program measures: %s', (_, expr) => {
  const { metrics, labels, faults } = namesIn(expr);
  expect(faults).toEqual([]);
  expect(metrics.length).toBeGreaterThan(0);
  const told = metrics.filter((metric) => !OF_PROMETHEUS.includes(metric));
  expect(told.filter((metric) => instrumentOf(metric) === null)).toEqual([]);
  const known: string[] = told.flatMap((metric) => [
    ...INSTRUMENTS[instrumentOf(metric) as InstrumentName].labels,
    ...(metric.endsWith('_bucket') ? ['le'] : []),
  ]);
  expect(labels.filter((label) => ![...known, ...ADDED_LABELS].includes(label))).toEqual([]);
});

test('the grammar finds a fault, and the list a name that the program never measures', () => {
  expect(namesIn('sum by (job (rate(up[5m]))').faults).not.toEqual([]);
  expect(namesIn('rate(up[5m]').faults).not.toEqual([]);
  expect(instrumentOf('tender_append_seconds')).toBeNull();
  expect(instrumentOf('tender_follower_lag_seconds_count')).toBeNull();
  expect(instrumentOf('tender_follower_lag')).toBeNull();
});

test('everything that is measured is drawn', () => {
  const shown = new Set(drawn.flatMap(([, expr]) => namesIn(expr).metrics.map(instrumentOf)));
  expect(Object.keys(INSTRUMENTS).filter((name) => !shown.has(name as InstrumentName))).toEqual([]);
});

test('every alert says how bad it is, what to do, and where that is explained', () => {
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  for (const { alert, for: waits, labels, annotations } of rules) {
    expect(['critical', 'warning']).toContain(labels.severity);
    expect(waits).toMatch(/^\d+m$/);
    expect(annotations.summary).toMatch(/\.$/);
    expect(annotations.action).toMatch(/\.$/);
    expect(annotations.runbook_url).toBe(`${DOCS}/operations.md#${alert.toLowerCase()}`);
  }
  if (!existsSync(path.join(ROOT, OPERATIONS))) return;
  const headings = [...read(OPERATIONS).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading);
  expect(rules.map(({ alert }) => alert).filter((alert) => !headings.includes(alert))).toEqual([]);
});

test('the rules are loaded, and the panels stand beside each other', () => {
  const { rule_files } = parse(read('deploy/prometheus/prometheus.yml')) as { rule_files: string[] };
  expect(rule_files).toEqual(['alerts.yml']);
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  const places = new Map<string, string>();
  for (const { title, gridPos } of panels) {
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1) {
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
        expect([places.get(`${x},${y}`), x < 24]).toEqual([undefined, true]);
        places.set(`${x},${y}`, title);
      }
    }
  }
});

test('what Grafana loads by itself can be read', () => {
  for (const file of ['datasources/prometheus.yml', 'dashboards/tender.yml']) {
    expect(parse(read(`deploy/grafana/provisioning/${file}`))).toMatchObject({ apiVersion: 1 });
  }
});
