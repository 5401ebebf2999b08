import type { Env, ProcessName } from '@tandem/platform';
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { parse } from 'yaml';
import { compose, environment, type ComposeService } from './compose';
import { containersOf, manifests, rendered, type Container, type Manifest } from './kustomization';
import { invalid, mistyped } from './kubernetes-schemas.ts';
import { operatorCommands, processes, processNames, variablesOf, variablesOfCommand } from './processes';

const root = join(__dirname, '..');
const text = (path: string): string => readFileSync(join(root, path), 'utf8');
/** In addition to notice and grace, a process may take ten seconds to close its connections (libs/platform/src/run.ts). */
const closingMs = 10_000;
const imageEnvironment: Env = Object.fromEntries(
  [...text('deploy/Dockerfile').matchAll(/^ENV (.*)$/gm)]
    .at(-1)![1]!
    .split(' ')
    .map((pair) => pair.split('=') as [string, string]),
);
const without = (names: Iterable<string>, known: Set<string>): string[] => [...names].filter((name) => !known.has(name));
const secretName = /SECRET|PASSWORD|KEYS|TOKEN|_URL$|AUTH$/;

describe('deploy/Dockerfile', () => {
  it('copies only existing files that .dockerignore does not exclude', () => {
    const copied = [...text('deploy/Dockerfile').matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap((match) => match[1]!.split(' '));
    expect(copied.length).toBeGreaterThan(8);
    const ignored = text('.dockerignore').split('\n');
    expect(copied.filter((path) => !existsSync(join(root, path)) || ignored.includes(path))).toEqual([]);
  });

  it('installs dependencies from the package.json of every workspace, before it copies any source', () => {
    const { workspaces } = JSON.parse(text('package.json')) as { workspaces: string[] };
    const folders = workspaces.flatMap((pattern) =>
      pattern.endsWith('/*') ? readdirSync(join(root, dirname(pattern))).map((name) => join(dirname(pattern), name)) : [pattern],
    );
    const stage = text('deploy/Dockerfile').split(/^FROM .*$/m)[1]!;
    const copied = [...stage.matchAll(/^COPY (\S+)\/package\.json \1\/$/gm)].map((match) => match[1]!);
    expect(copied.sort()).toEqual(folders.filter((folder) => existsSync(join(root, folder, 'package.json'))).sort());
  });

  it('labels the image with the version of package.json', () => {
    const { version } = JSON.parse(text('package.json')) as { version: string };
    expect(text('deploy/Dockerfile')).toContain(`ARG VERSION=${version}\n`);
  });

  it('never contains .env', () => {
    expect(text('.dockerignore').split('\n')).toContain('.env');
    expect(text('.gitignore').split('\n')).toContain('.env');
  });
});

describe('docker-compose.yml', () => {
  const asWritten = compose();
  let services: ReturnType<typeof compose>;
  beforeAll(() => {
    const directory = mkdtempSync(join(tmpdir(), 'tandem-compose-'));
    try {
      mkdirSync(join(directory, 'deploy', 'compose'), { recursive: true });
      const script = join(directory, 'deploy', 'compose', 'make-env.sh');
      copyFileSync(join(root, 'deploy/compose/make-env.sh'), script);
      execFileSync('sh', [script], { stdio: 'pipe' });
      services = compose(environment(readFileSync(join(directory, '.env'), 'utf8')));
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
  const environmentOf = (name: string) =>
    Object.fromEntries(Object.entries(services[name]!.environment ?? {}).map(([key, value]) => [key, String(value)]));
  const configOf = (name: ProcessName) => processes[name].config({ ...imageEnvironment, ...environmentOf(name) });

  it('runs every process, each from its own image', () => {
    expect(Object.keys(asWritten)).toEqual(expect.arrayContaining(processNames));
    for (const { build, image } of Object.values(asWritten)) {
      if (build)
        expect({ image, dockerfile: build.dockerfile }).toEqual({ image: `tandem/${build.args.SERVICE}`, dockerfile: 'deploy/Dockerfile' });
    }
    expect(processNames.map((name) => asWritten[name]!.build!.args.SERVICE)).toEqual(processNames);
  });

  it.each(processNames)('gives %s no variable that it does not read', (name) => {
    expect(without(Object.keys(environmentOf(name)), variablesOf(name))).toEqual([]);
  });

  it.each(processNames)('gives %s all required variables for production, with the secrets of make-env.sh', (name) => {
    expect(configOf(name)).toMatchObject({ name, NODE_ENV: 'production', HOST: '0.0.0.0' });
  });

  it.each(['migrate', 'mailbox'])('gives %s the variables that its command reads, and no others', (name) => {
    const command = asWritten[name]!.command!;
    const { required, all } = variablesOfCommand(command[1]!);
    const given = Object.keys(environmentOf(name));
    expect({ unread: without(given, all), missing: without(required, new Set(given)) }).toEqual({ unread: [], missing: [] });
  });

  it('gives the tools service the variables of every command for operators, and no others', () => {
    const given = Object.keys(environmentOf('tools'));
    const commands = operatorCommands.map(variablesOfCommand);
    const all = new Set(commands.flatMap((command) => [...command.all]));
    const missing = commands.flatMap(({ required }) => without(required, new Set(given)));
    expect({ unread: without(given, all), missing }).toEqual({ unread: [], missing: [] });
  });

  it('starts services after the migrations, but commands for operators without them', () => {
    const startedBefore = (name: string): string[] =>
      Object.keys(asWritten[name]!.depends_on ?? {}).flatMap((dependency) => [dependency, ...startedBefore(dependency)]);
    for (const name of processNames) expect(asWritten[name]!.depends_on!.migrate).toEqual({ condition: 'service_completed_successfully' });
    expect(startedBefore('tools')).toEqual([]);
    expect(startedBefore('mailbox')).toEqual([]);
    expect(startedBefore('migrate')).toEqual(['postgres']);
  });

  it('connects to NATS as the user in nats.conf, and to every other process by its name and port', () => {
    expect(text('deploy/compose/nats.conf')).toContain('user: tandem, password: $NATS_PASSWORD');
    for (const name of [...processNames, 'tools']) {
      expect(new URL(environmentOf(name).NATS_URL!)).toMatchObject({
        username: 'tandem',
        password: services.nats!.environment!.NATS_PASSWORD,
      });
    }
    const addresses = Object.fromEntries(
      processNames.filter((name) => name !== 'gateway').map((name) => [name, `http://${name}:${configOf(name).PORT}`]),
    );
    expect(configOf('gateway').SERVICE_URLS).toEqual(addresses);
    expect(new URL(environmentOf('notifications').SMTP_URL!)).toMatchObject({
      hostname: 'mailbox',
      port: environmentOf('mailbox').SMTP_PORT,
    });
  });

  it.each(processNames)('checks the health of %s on its own port', (name) => {
    expect(services[name]!.healthcheck!.test.join(' ')).toContain(`http://127.0.0.1:${configOf(name).PORT}/health/ready`);
  });

  it.each(processNames)('gives %s time to finish before it is killed, and a read-only file system', (name) => {
    const { SHUTDOWN_NOTICE_MS, SHUTDOWN_GRACE_MS } = configOf(name);
    const { stop_grace_period, read_only } = services[name]!;
    expect(parseInt(stop_grace_period!) * 1000).toBeGreaterThanOrEqual(SHUTDOWN_NOTICE_MS + SHUTDOWN_GRACE_MS + closingMs);
    expect(read_only).toBe(true);
  });

  it('contains no secret', () => {
    const values = Object.values(asWritten).flatMap(({ environment: env = {} }) => Object.entries(env));
    const open = values.filter(([key, value]) => /SECRET|PASSWORD|KEYS|AUTH$/.test(key) && !/^\$\{[A-Z0-9_]+[^}]*\}$/.test(String(value)));
    expect(open).toEqual([]);
  });
});

describe('deploy/caddy/compose.yml', () => {
  const { services } = parse(text('deploy/caddy/compose.yml')) as { services: Record<string, ComposeService & { networks: Networks }> };
  interface Networks {
    proxy: { ipv4_address: string };
  }
  const { caddy, gateway } = services;

  it('lets only Caddy ask for certificates, on a port that is not published', () => {
    const env = Object.fromEntries(Object.entries(gateway!.environment!).map(([name, value]) => [name, String(value)]));
    expect(without(Object.keys(env), variablesOf('gateway'))).toEqual([]);
    expect(env.TRUSTED_PROXIES).toBe(caddy!.networks.proxy.ipv4_address);
    expect([gateway!.ports, compose().gateway!.ports]).toEqual([undefined, ['127.0.0.1:3000:3000']]);
    expect(text('deploy/caddy/Caddyfile')).toContain(`ask {$CERTIFICATE_URL:http://gateway:${env.CERTIFICATE_PORT}/}`);
  });

  it('stores the list of hosts in a folder that the process may write', () => {
    const folder = dirname(gateway!.environment!.CERTIFICATE_HOSTS_FILE as string);
    expect(gateway!.volumes).toEqual([`certificates:${folder}`]);
    expect(text('deploy/Dockerfile')).toMatch(new RegExp(`install -d -o node .* ${folder}$`, 'm'));
  });
});

describe('k8s/components/caddy', () => {
  let objects: Manifest[];
  beforeAll(() => {
    const folder = mkdtempSync(join(tmpdir(), 'tandem-caddy-'));
    const prod = text('k8s/overlays/prod/kustomization.yaml').replace('../../components/gateway-api', '../../components/caddy');
    writeFileSync(join(folder, 'kustomization.yaml'), prod.replaceAll('../../', `${relative(folder, join(root, 'k8s'))}/`));
    objects = rendered(folder);
    rmSync(folder, { recursive: true });
  });

  it('replaces the Gateway API and matches the schemas of Kubernetes', () => {
    expect(objects.filter(({ kind }) => kind === 'Gateway' || kind === 'HTTPRoute')).toEqual([]);
    expect([invalid(objects), mistyped(objects)]).toEqual([[], []]);
  }, 120_000);

  it('gives the certificate port to Caddy only', () => {
    const port = Number(objects.find(({ metadata }) => metadata.name === 'tandem-config')!.data!.CERTIFICATE_PORT);
    const gateway = objects.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'gateway')!;
    expect(containersOf(gateway)[0]!.ports).toContainEqual({ name: 'certificates', containerPort: port });
    const open = objects.filter(({ kind, spec }) => kind === 'Service' && JSON.stringify(spec).includes('certificates'));
    expect(open.map(({ metadata, spec }) => [metadata.name, spec.type])).toEqual([['gateway-certificates', undefined]]);
    const policy = objects.find(({ metadata }) => metadata.name === 'gateway-from-caddy')!;
    expect(policy.spec.ingress).toEqual([
      {
        from: [{ podSelector: { matchLabels: { 'app.kubernetes.io/name': 'caddy' } } }],
        ports: [{ port: 'http' }, { port: 'certificates' }],
      },
    ]);
    const caddy = objects.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === 'caddy')!;
    expect(caddy.data!.CERTIFICATE_URL).toBe(`http://gateway-certificates:${port}/`);
  });
});

describe.each(['dev', 'prod'])('k8s/overlays/%s', (overlay) => {
  const objects = rendered(join(root, 'k8s', 'overlays', overlay));
  const secrets = manifests(execFileSync('sh', [join(root, 'k8s/overlays/dev/make-secrets.sh')], { encoding: 'utf8' }));
  const named = (kind: string, name: string): Manifest => {
    const found = [...objects, ...secrets].find((object) => object.kind === kind && object.metadata.name === name);
    if (!found) throw new Error(`no ${kind} ${name}`);
    return found;
  };
  const containerOf = (name: string) => containersOf(named('Deployment', name))[0]!;
  const configOf = (name: ProcessName) => processes[name].config(environmentOf(containerOf(name)));

  function environmentOf({ envFrom = [], env = [] }: Container): Env {
    const single = env.flatMap(({ name, value, valueFrom }) => {
      const from = valueFrom?.secretKeyRef;
      const found = from ? named('Secret', from.name).stringData?.[from.key] : value;
      // An optional key is treated as missing, so that the variable is not set.
      if (found === undefined && from?.optional) return [];
      if (found === undefined) throw new Error(`${name}: no ${from?.key} in ${from?.name}`);
      return [[name, found] as const];
    });
    // Optional secrets are treated as missing.
    const shared = envFrom.flatMap(({ configMapRef }) => (configMapRef ? [named('ConfigMap', configMapRef.name).data] : []));
    return Object.assign({ ...imageEnvironment }, ...shared, Object.fromEntries(single)) as Env;
  }

  it('matches the schemas of Kubernetes, without unknown fields', () => {
    expect(invalid([...objects, ...secrets])).toEqual([]);
    expect(mistyped([...objects, ...secrets])).toEqual([]);
  }, 120_000);

  it('would fail the schema check with a wrong value or an unknown field', () => {
    const [gateway] = JSON.parse(JSON.stringify([named('Deployment', 'gateway')])) as [Manifest];
    Object.assign(gateway.spec as object, { minReadySeconds: 'soon' });
    expect(invalid([gateway])).toEqual([expect.stringContaining('minReadySeconds')]);
    Object.assign(gateway.spec as object, { minReadySeconds: 1, minReadySecond: 1 });
    expect(mistyped([gateway])).toEqual([expect.stringContaining('minReadySecond')]);
  }, 120_000);

  it('puts every resource into the namespace', () => {
    expect(objects.filter(({ kind, metadata }) => kind !== 'Namespace' && metadata.namespace !== 'tandem')).toEqual([]);
  });

  it.each(processNames)('gives %s no variable that it does not read', (name) => {
    expect(
      without(
        (containerOf(name).env ?? []).map((each) => each.name),
        variablesOf(name),
      ),
    ).toEqual([]);
  });

  it('shares only variables that a process reads', () => {
    const all = new Set(processNames.flatMap((name) => [...variablesOf(name)]));
    expect(without(Object.keys(named('ConfigMap', 'tandem-config').data!), all)).toEqual([]);
  });

  it.each(processNames)('gives %s all required variables for production', (name) => {
    expect(configOf(name)).toMatchObject({ name, NODE_ENV: 'production', HOST: '0.0.0.0' });
  });

  it('gives each command the variables that it reads, and no others', () => {
    const commands = objects.flatMap(containersOf).filter(({ command }) => command);
    expect(commands.map(({ name }) => name)).toContain('migrate');
    for (const { command, env = [] } of commands) {
      const { required, all } = variablesOfCommand(command![1]!);
      const given = env.map((each) => each.name);
      expect({ unread: without(given, all), missing: without(required, new Set(given)) }).toEqual({ unread: [], missing: [] });
    }
  });

  it('routes each address to the port that the process listens on', () => {
    for (const name of processNames) {
      const { ports, readinessProbe, livenessProbe } = containerOf(name);
      const { PORT, METRICS_PORT } = configOf(name);
      expect(ports).toEqual([
        { name: 'http', containerPort: PORT },
        { name: 'metrics', containerPort: METRICS_PORT },
        ...(name === 'tickets' ? [{ name: 'smtp', containerPort: 2525 }] : []),
      ]);
      expect([readinessProbe?.httpGet, livenessProbe?.httpGet]).toEqual([
        { path: '/health/ready', port: 'http' },
        { path: '/health/live', port: 'http' },
      ]);
      expect(named('Service', name).spec).toMatchObject({
        selector: { 'app.kubernetes.io/name': name },
        ports: [{ name: 'http', port: PORT, targetPort: 'http' }],
      });
      if (name !== 'gateway') expect(configOf('gateway').SERVICE_URLS[name]).toBe(`http://${name}:${PORT}`);
    }
  });

  it('routes port 25 to the processes that receive email', () => {
    const { spec } = named('Service', 'mail-in');
    expect(spec).toMatchObject({ selector: { 'app.kubernetes.io/name': 'tickets' }, ports: [{ port: 25, targetPort: 'smtp' }] });
    expect(configOf('tickets')).toMatchObject({ MAIL_IN_HOST: '0.0.0.0', MAIL_IN_PORT: 2525 });
  });

  it('gives every process time to finish before it is killed', () => {
    for (const name of processNames) {
      const { SHUTDOWN_NOTICE_MS, SHUTDOWN_GRACE_MS } = configOf(name);
      const seconds = (named('Deployment', name).spec as { template: { spec: { terminationGracePeriodSeconds: number } } }).template.spec
        .terminationGracePeriodSeconds;
      expect(seconds * 1000).toBeGreaterThanOrEqual(SHUTDOWN_NOTICE_MS + SHUTDOWN_GRACE_MS + closingMs);
    }
  });

  it('gives pods no service links (TICKETS_PORT=tcp://… would overwrite our variable), no privileges and a read-only file system', () => {
    const pods = objects.filter((object) => containersOf(object).length > 0);
    for (const pod of pods) {
      expect(pod.spec).toMatchObject({
        template: { spec: { enableServiceLinks: false, automountServiceAccountToken: false, securityContext: { runAsNonRoot: true } } },
      });
      for (const { image, securityContext } of containersOf(pod)) {
        expect(securityContext).toMatchObject({ allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } });
        if (image.includes('tandem/')) expect(securityContext).toMatchObject({ readOnlyRootFilesystem: true });
      }
    }
  });

  it('pins a version of every image', () => {
    expect(objects.flatMap(containersOf).filter(({ image }) => !/:[\w.-]+$/.test(image) || image.endsWith(':latest'))).toEqual([]);
  });

  it('contains no secret, and requires those listed in docs/operating.md', () => {
    expect(objects.filter(({ kind }) => kind === 'Secret')).toEqual([]);
    const env = objects.flatMap(containersOf).flatMap((container) => container.env ?? []);
    expect(env.filter(({ name, value }) => value !== undefined && secretName.test(name) && !value.startsWith('http://'))).toEqual([]);
    const keys = env.flatMap(({ valueFrom }) => (valueFrom ? [valueFrom.secretKeyRef.key] : []));
    const undocumented = keys.filter(
      (key) => !text('docs/operating.md').includes(key.replace(/^[A-Z]+_DATABASE_URL$/, '<NAME>_DATABASE_URL')),
    );
    expect(
      undocumented.filter((key) => overlay === 'prod' || !['POSTGRES_PASSWORD', 'NATS_PASSWORD', 'REDIS_PASSWORD'].includes(key)),
    ).toEqual([]);
  });
});

describe('k8s/overlays/dev', () => {
  it('runs NATS as docker-compose.yml does', () => {
    expect(text('k8s/overlays/dev/nats.conf')).toBe(text('deploy/compose/nats.conf'));
  });
});
