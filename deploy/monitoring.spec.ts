import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parse, stringify } from 'yaml';
import { compose } from './compose';
import { containersOf, rendered, type Manifest } from './kustomization';
import { allMetrics } from './metrics';
import { processNames } from './processes';

const root = join(__dirname, '..');
const folder = join(__dirname, 'monitoring');
const text = (path: string): string => readFileSync(join(root, path), 'utf8');

interface Rule {
  alert?: string;
  record?: string;
  expr: string;
  labels?: { severity: string };
  annotations?: { summary: string; description: string; runbook: string };
}
interface Dashboard {
  uid: string;
  title: string;
  panels: {
    id: number;
    title: string;
    targets: { expr: string; legendFormat: string }[];
    gridPos: Record<'x' | 'y' | 'w' | 'h', number>;
  }[];
}

const groups = readdirSync(join(folder, 'rules')).flatMap(
  (file) => (parse(text(`deploy/monitoring/rules/${file}`)) as { groups: { name: string; rules: Rule[] }[] }).groups,
);
const rules = groups.flatMap((group) => group.rules);
const alerts = rules.filter(({ alert }) => alert !== undefined);
const dashboards = readdirSync(join(folder, 'dashboards')).map((file) => ({
  file,
  ...(JSON.parse(text(`deploy/monitoring/dashboards/${file}`)) as Dashboard),
}));

/** Labels that Prometheus adds to each series. */
const addedLabels = ['instance', 'job'];

/** The metrics and labels of an expression that docs/metrics.md does not list, as messages. */
function problemsOf(expr: string): string[] {
  const recorded = new Set(rules.map(({ record }) => record));
  const unknownRecords = [...expr.matchAll(/\btandem:[\w:]+/g)].map(([name]) => name).filter((name) => !recorded.has(name));
  const series = [...expr.matchAll(/\b(tandem_\w+)(?:\{([^}]*)\})?/g)].flatMap(([, name, matchers = '']) => {
    const definition = allMetrics().find(
      (metric) => metric.name === name || (metric.kind === 'histogram' && metric.name === name!.replace(/_(bucket|sum|count)$/, '')),
    );
    if (!definition) return [`${name} does not exist`];
    const labels = [...matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*"/g)].map((match) => match[1]!);
    const known = [...definition.labels, ...addedLabels, ...(definition.kind === 'histogram' ? ['le'] : [])];
    return labels.filter((label) => !known.includes(label)).map((label) => `${name} has no label ${label}`);
  });
  const all = new Set([...allMetrics().flatMap(({ labels }) => labels), ...addedLabels, 'le']);
  const grouped = [...expr.matchAll(/\b(?:by|ignoring|on) \(([^)]*)\)/g)].flatMap((match) =>
    match[1]!.split(',').map((each) => each.trim()),
  );
  return [...unknownRecords.map((name) => `${name} is not recorded`), ...series, ...grouped.filter((label) => !all.has(label))];
}

describe('deploy/monitoring/rules', () => {
  it.each(rules.map((rule) => [rule.alert ?? rule.record, rule.expr]))('%s uses only metrics and labels that exist', (_name, expr) => {
    expect(problemsOf(expr)).toEqual([]);
  });

  it('would find a metric or a label that does not exist', () => {
    expect(problemsOf('max by (nothing) (tandem_outbox_oldest_minutes) > tandem_queue_jobs{color="red"}')).toEqual([
      'tandem_outbox_oldest_minutes does not exist',
      'tandem_queue_jobs has no label color',
      'nothing',
    ]);
    expect(problemsOf('tandem:nothing:ratio_rate1h')).toEqual(['tandem:nothing:ratio_rate1h is not recorded']);
  });

  it.each(alerts.map((rule) => [rule.alert!, rule] as const))('%s has a severity, a sentence and a complete runbook', (alert, rule) => {
    expect(['page', 'ticket']).toContain(rule.labels!.severity);
    expect(rule.annotations!.summary.length * rule.annotations!.description.length).toBeGreaterThan(0);
    const page = text(rule.annotations!.runbook);
    expect(page).toContain(`\`${alert}\` (${rule.labels!.severity})`);
    expect([...page.matchAll(/^## (.*)$/gm)].map((match) => match[1])).toEqual([
      'Symptom',
      'What it means',
      'Diagnosis',
      'Fix',
      'When to escalate',
    ]);
  });

  it('have a test for each alert', () => {
    const tests = readdirSync(join(folder, 'tests')).map((file) => text(`deploy/monitoring/tests/${file}`));
    const tested = new Set([...tests.join('\n').matchAll(/alertname: (\w+)/g)].map((match) => match[1]));
    expect(alerts.filter(({ alert }) => !tested.has(alert)).map(({ alert }) => alert)).toEqual([]);
  });
});

describe('docs/runbooks', () => {
  const pages = readdirSync(join(root, 'docs/runbooks')).filter((name) => name !== 'README.md');

  it('has no page without an alert, and lists all alerts', () => {
    const used = new Set(alerts.map(({ annotations }) => annotations!.runbook.replace('docs/runbooks/', '')));
    expect(pages.filter((page) => !used.has(page))).toEqual([]);
    for (const { alert, annotations } of alerts) {
      expect(text('docs/runbooks/README.md')).toMatch(
        new RegExp(`\`${alert}\`.*\\(${annotations!.runbook.replace('docs/runbooks/', '')}\\)`),
      );
    }
  });

  it.each(pages)('%s links to pages that exist', (page) => {
    const links = [...text(`docs/runbooks/${page}`).matchAll(/\]\(([^)#]+)\)/g)].map((match) => match[1]!);
    expect(links.filter((link) => !existsSync(join(root, 'docs/runbooks', link)))).toEqual([]);
  });
});

describe('deploy/monitoring/dashboards', () => {
  it('are the six that docs/operating.md names, each with its own id', () => {
    expect(dashboards.map(({ title }) => title).sort()).toEqual([
      'Tandem / Database',
      'Tandem / Email',
      'Tandem / Events and queues',
      'Tandem / Overview',
      'Tandem / Requests',
      'Tandem / Task sync',
    ]);
    expect(new Set(dashboards.map(({ uid }) => uid)).size).toBe(6);
  });

  it.each(dashboards.map((dashboard) => [dashboard.file, dashboard] as const))('%s shows only metrics that exist', (_file, { panels }) => {
    expect(panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => problemsOf(expr)))).toEqual([]);
  });

  it.each(dashboards.map((dashboard) => [dashboard.file, dashboard] as const))('%s has panels that do not overlap', (_file, { panels }) => {
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, i) => `${x + (i % w)},${y + Math.floor(i / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(panels.every(({ gridPos: { x, w } }) => x + w <= 24)).toBe(true);
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  });

  it('show every metric', () => {
    const shown = dashboards.flatMap(({ panels }) => panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))).join('\n');
    const missing = allMetrics().filter(({ name }) => !new RegExp(`\\b${name}(_bucket|_count|_sum)?\\b`).test(shown));
    expect(missing.map(({ name }) => name)).toEqual([]);
  });
});

describe('docker-compose.yml', () => {
  const services = compose() as Record<
    string,
    { profiles?: string[]; volumes?: string[]; ports?: string[]; environment?: Record<string, string> }
  >;
  const { prometheus, grafana } = services;

  it('starts Prometheus and Grafana only with the profile, and publishes them on this machine only', () => {
    for (const service of [prometheus!, grafana!]) {
      expect(service.profiles).toEqual(['monitoring']);
      expect(service.ports!.every((port) => port.startsWith('127.0.0.1:'))).toBe(true);
    }
  });

  it('mounts files that exist', () => {
    const mounted = [...prometheus!.volumes!, ...grafana!.volumes!]
      .filter((each) => each.startsWith('./'))
      .map((each) => each.split(':')[0]!);
    expect(mounted.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('opens the metrics port of each process with METRICS_PORT, and Prometheus scrapes them all', () => {
    for (const name of processNames) expect(services[name]!.environment![`${name.toUpperCase()}_METRICS_PORT`]).toBe('${METRICS_PORT:-}');
    const { scrape_configs } = parse(text('deploy/monitoring/prometheus.yml')) as {
      scrape_configs: { job_name: string; static_configs: { targets: string[] }[] }[];
    };
    expect(scrape_configs.map(({ job_name }) => job_name)).toEqual(['tandem']);
    expect(scrape_configs[0]!.static_configs[0]!.targets.toSorted()).toEqual(processNames.map((name) => `${name}:9464`).sort());
  });
});

describe('k8s/components/monitoring', () => {
  const rulesFile = join(root, 'k8s/components/monitoring/rules.yaml');
  const prometheusRule = {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: { name: 'tandem', labels: { 'app.kubernetes.io/part-of': 'tandem' } },
    spec: { groups },
  };
  let objects: Manifest[];
  beforeAll(() => {
    const comment = '# Written by `npm run docs` from deploy/monitoring/rules.\n';
    if (process.env.UPDATE_DOCS) writeFileSync(rulesFile, `${comment}${stringify(prometheusRule, { lineWidth: 0 })}`);
    const target = mkdtempSync(join(tmpdir(), 'tandem-monitoring-'));
    const prod = text('k8s/overlays/prod/kustomization.yaml').replace('components:\n', 'components:\n  - ../../components/monitoring\n');
    writeFileSync(join(target, 'kustomization.yaml'), prod.replaceAll('../../', `${relative(target, join(root, 'k8s'))}/`));
    objects = rendered(target);
    rmSync(target, { recursive: true });
  });
  const named = (kind: string) => objects.find((object) => object.kind === kind)!;

  it('has the rules of deploy/monitoring (npm run docs writes them again)', () => {
    expect(parse(readFileSync(rulesFile, 'utf8'))).toEqual(prometheusRule);
    expect(named('PrometheusRule').metadata.namespace).toBe('tandem');
  });

  it('scrapes the port `metrics` of the pods of every process, and no others', () => {
    const { spec } = named('PodMonitor') as { spec: PodMonitorSpec };
    const [{ key, operator, values }] = spec.selector.matchExpressions;
    expect([key, operator]).toEqual(['app.kubernetes.io/name', 'In']);
    expect(values.toSorted()).toEqual(processNames.toSorted());
    const pods = objects.filter(({ kind, metadata }) => kind === 'Deployment' && values.includes(metadata.name));
    expect(pods).toHaveLength(processNames.length);
    for (const pod of pods) {
      const { labels } = (pod.spec as { template: { metadata: { labels: Record<string, string> } } }).template.metadata;
      expect(labels).toMatchObject({ ...spec.selector.matchLabels, [spec.jobLabel]: 'tandem' });
      expect(containersOf(pod)[0]!.ports!.map(({ name }) => name)).toContain(spec.podMetricsEndpoints[0]!.port);
    }
  });
});

interface PodMonitorSpec {
  jobLabel: string;
  selector: { matchLabels: Record<string, string>; matchExpressions: [{ key: string; operator: string; values: string[] }] };
  podMetricsEndpoints: { port: string }[];
}
