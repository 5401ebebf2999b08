import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { allJobs } from '@tandem/contracts';
import { containersOf, manifests, ofCluster, rendered, type Manifest } from './kustomization.ts';
import { invalid, mistyped } from './kubernetes-schemas.ts';

const k8s = join(__dirname, '..', 'k8s');
const services = ['identity', 'tickets', 'notifications', 'integrations', 'analytics'];
const optional = ['autoscaling', 'network-policy', 'monitoring'];
const subsets = optional.reduce<string[][]>((all, name) => [...all, ...all.map((each) => [...each, name])], [[]]);
/** In the overlay `dev`, one replica stores the files on its disk, so that it cannot be scaled. */
const isPossible = ({ overlay, components }: { overlay: string; components: string[] }): boolean =>
  overlay !== 'dev' || !components.includes('autoscaling');
const combinations = ['dev', 'prod']
  .flatMap((overlay) =>
    [[], ['gateway-api'], ['caddy']].flatMap((tls) => subsets.map((others) => ({ overlay, components: [...tls, ...others] }))),
  )
  .filter(isPossible);

let folder: string;
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'tandem-components-'))));
afterAll(() => rmSync(folder, { recursive: true }));

/** The overlay with exactly these components. */
function render(overlay: string, components: string[]): Manifest[] {
  const directory = join(folder, [overlay, ...components].join('-'));
  mkdirSync(directory, { recursive: true });
  const base = join(k8s, 'overlays', overlay);
  const own = readFileSync(join(base, 'kustomization.yaml'), 'utf8').replace(/^components:\n(?: {2}- .*\n)+/m, '');
  const list = components.length > 0 ? `components: [${components.map((name) => `../../components/${name}`).join(', ')}]\n` : '';
  const text = `${own}${list}`.replaceAll('../../', `${relative(directory, k8s)}/`);
  const files = text.replace(/(servers|attachments)\.yaml/g, `${relative(directory, base)}/$1.yaml`);
  writeFileSync(join(directory, 'kustomization.yaml'), files);
  if (overlay === 'dev') writeFileSync(join(directory, 'nats.conf'), readFileSync(join(base, 'nats.conf')));
  return rendered(directory);
}

it('every combination of an overlay with components matches the schemas, and names each object once', () => {
  expect(combinations).toHaveLength(36);
  const different = new Map<string, Manifest>();
  for (const { overlay, components } of combinations) {
    const objects = render(overlay, components);
    const names = objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect([overlay, components, names.filter((name, i) => names.indexOf(name) !== i)]).toEqual([overlay, components, []]);
    expect(objects.filter(({ kind, metadata }) => !ofCluster.has(kind) && metadata.namespace !== 'tandem')).toEqual([]);
    for (const object of objects) different.set(JSON.stringify(object), object);
  }
  expect(invalid([...different.values()])).toEqual([]);
  expect(mistyped([...different.values()])).toEqual([]);
}, 120_000);

const servers = ['postgres', 'nats', 'redis', 'external-secrets', 'keda', 'priority'];
it('the components for servers and operators match the schemas, individually and combined', () => {
  const all = [...servers.map((name) => [name]), [...servers, ...optional]].flatMap((components) => render('prod', components));
  const different = [...new Map(all.map((object) => [JSON.stringify(object), object])).values()];
  expect(invalid(different)).toEqual([]);
  expect(mistyped(different)).toEqual([]);
}, 120_000);

const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0;
(hasKubectl ? it : it.skip)(
  `kubectl kustomize renders the same objects${hasKubectl ? '' : ' (skipped: kubectl is not installed)'}`,
  () => {
    const components = [...servers, ...optional, 'gateway-api'];
    const ours = render('prod', components);
    const { stdout, stderr } = spawnSync('kubectl', ['kustomize', join(folder, ['prod', ...components].join('-'))], { encoding: 'utf8' });
    expect(stderr).toBe('');
    // kubectl adds a hash of the content to the names of generated ConfigMaps.
    const theirs = manifests(stdout.replace(/\b(tandem-config|nats-config)-[a-z0-9]{10}\b/g, '$1'));
    const byName = (objects: Manifest[]) => Object.fromEntries(objects.map((object) => [`${object.kind} ${object.metadata.name}`, object]));
    expect(byName(theirs)).toEqual(byName(ours));
  },
  60_000,
);

it('KEDA scales deployments that no other autoscaler scales, by metrics that exist', () => {
  const objects = render('prod', ['autoscaling', 'keda']);
  const scaled = (kind: string) => objects.filter((object) => object.kind === kind).map(({ spec }) => spec.scaleTargetRef.name as string);
  expect(scaled('ScaledObject').filter((name) => scaled('HorizontalPodAutoscaler').includes(name))).toEqual([]);
  const described = readFileSync(join(__dirname, '..', 'docs', 'metrics.md'), 'utf8');
  for (const { metadata, spec } of objects.filter(({ kind }) => kind === 'ScaledObject')) {
    expect(objects.find(({ kind, metadata: { name } }) => kind === 'Deployment' && name === metadata.name)!.spec.replicas).toBeUndefined();
    for (const trigger of spec.triggers as { metadata: { query: string } }[])
      expect(described).toContain(/tandem_\w+/.exec(trigger.metadata.query)![0]);
    const pattern = /queue=~"([^"]+)"/.exec(JSON.stringify(spec.triggers).replaceAll('\\"', '"'))![1]!;
    const queues = allJobs.filter(({ owner }) => owner === metadata.name).map(({ queue }) => queue);
    // The queue in which organizations are deleted is empty on most days.
    const own = queues.filter((queue) => !queue.endsWith('-deletions'));
    expect(own.filter((queue) => !new RegExp(`^(${pattern})$`).test(queue))).toEqual([]);
  }
});

it('the servers of a component have the names that the network policies and the URLs of the documentation expect', () => {
  const objects = render('prod', ['nats', 'redis']);
  const namesOf = (wanted: string) => objects.filter(({ kind }) => kind === wanted).map(({ metadata }) => metadata.name);
  expect(namesOf('Service')).toEqual(expect.arrayContaining(['nats', 'redis']));
  const config = objects.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === 'tandem-config')!;
  const nats = objects.find(({ kind, metadata }) => kind === 'StatefulSet' && metadata.name === 'nats')!;
  expect(config.data!.NATS_STREAM_REPLICAS).toBe(String(nats.spec.replicas));
});

it('every process has a budget for disruptions that lets a node be drained', () => {
  const objects = render('prod', []);
  for (const name of [...services, 'gateway']) {
    const budget = objects.find(({ kind, metadata }) => kind === 'PodDisruptionBudget' && metadata.name === name)!;
    const deployment = objects.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === name)!;
    expect(budget.spec.selector).toEqual(deployment.spec.selector);
    expect(deployment.spec.replicas).toBeGreaterThan(budget.spec.minAvailable as number);
  }
});

describe('k8s/components/gateway-api', () => {
  const objects = rendered(join(k8s, 'overlays', 'prod'));
  const ofKind = (name: string) => objects.filter(({ kind }) => kind === name);
  const config = objects.find(({ metadata }) => metadata.name === 'tandem-config')!.data!;
  const host = new URL(config.PUBLIC_URL!).hostname;

  it('serves the host of PUBLIC_URL and its subdomains over HTTPS, with a certificate of cert-manager', () => {
    const [gateway] = ofKind('Gateway') as (Manifest & { metadata: { annotations: Record<string, string> } })[];
    expect(gateway!.metadata.annotations).toHaveProperty(['cert-manager.io/cluster-issuer']);
    const listeners = gateway!.spec.listeners as { name: string; hostname?: string; protocol: string }[];
    expect(listeners.filter(({ protocol }) => protocol === 'HTTPS').map((each) => each.hostname)).toEqual([host, `*.${host}`]);
    const route = ofKind('HTTPRoute').find(({ metadata }) => metadata.name === 'tandem')!;
    expect(route.spec.hostnames).toEqual([host, `*.${host}`]);
    const service = objects.find(({ kind, metadata }) => kind === 'Service' && metadata.name === 'gateway')!;
    expect(route.spec.rules[0].backendRefs).toEqual([{ name: service.metadata.name, port: service.spec.ports[0].port }]);
    expect(route.spec.rules[0].timeouts).toEqual({ request: '0s', backendRequest: '0s' });
  });

  it('attaches each route to existing listeners: HTTPS to the gateway, HTTP to a redirect only', () => {
    const listeners = ofKind('Gateway')[0]!.spec.listeners as { name: string; protocol: string }[];
    for (const route of ofKind('HTTPRoute')) {
      const protocols = (route.spec.parentRefs as { sectionName: string }[]).map(
        ({ sectionName }) => listeners.find(({ name }) => name === sectionName)?.protocol,
      );
      expect(new Set(protocols)).toEqual(new Set([route.spec.rules[0].filters ? 'HTTP' : 'HTTPS']));
    }
  });
});

interface Pod {
  namespace: string;
  name: string;
  /** Outside of the cluster. */
  ip?: string;
}
interface Peer {
  podSelector?: { matchLabels?: Record<string, string>; matchExpressions?: { values: string[] }[] };
  namespaceSelector?: { matchLabels?: Record<string, string> };
  ipBlock?: { cidr: string; except?: string[] };
}
interface Rule {
  from?: Peer[];
  to?: Peer[];
  ports?: { port: number | string; protocol?: string }[];
}

describe('k8s/components/network-policy', () => {
  const names = ['identity', 'tickets', 'notifications', 'integrations', 'analytics', 'gateway', 'migrate', 'caddy'];
  const own = Object.fromEntries(names.map((name) => [name, { namespace: 'tandem', name }]));
  const others = {
    proxy: { namespace: 'envoy-gateway-system', name: 'proxy' },
    prometheus: { namespace: 'monitoring', name: 'prometheus' },
    stranger: { namespace: 'default', name: 'stranger' },
    dns: { namespace: 'kube-system', name: 'kube-dns' },
    database: { namespace: 'databases', name: 'database' },
    internet: { namespace: '', name: '', ip: '203.0.113.7' },
    cloud: { namespace: '', name: '', ip: '169.254.169.254' },
    network: { namespace: '', name: '', ip: '10.1.2.3' },
  };
  const pods: Record<string, Pod> = { ...own, ...others };
  const portNumbers = [25, 53, 80, 143, 443, 465, 587, 993, 2525, 3000, 3001, 4001, 4002, 4003, 4004, 4005, 4222, 5432, 6379, 9464];

  const asNumber = (ip: string) => ip.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  const contains = (cidr: string, ip: string): boolean => {
    const [network, bits] = cidr.split('/') as [string, string];
    const size = 2 ** (32 - Number(bits));
    return !cidr.includes(':') && Math.floor(asNumber(network) / size) === Math.floor(asNumber(ip) / size);
  };
  const selects = (selector: Peer['podSelector'], { name }: Pod): boolean =>
    Object.values(selector?.matchLabels ?? {}).every((value) => value === name) &&
    (selector?.matchExpressions ?? []).every(({ values }) => values.includes(name));
  const matchesPeer = ({ podSelector, namespaceSelector, ipBlock }: Peer, pod: Pod): boolean => {
    if (ipBlock) return pod.ip !== undefined && contains(ipBlock.cidr, pod.ip) && !ipBlock.except?.some((each) => contains(each, pod.ip!));
    if (pod.ip !== undefined) return false;
    const isNamespace = namespaceSelector
      ? Object.values(namespaceSelector.matchLabels ?? {}).every((value) => value === pod.namespace)
      : pod.namespace === 'tandem';
    return isNamespace && selects(podSelector, pod);
  };

  /** Which ports of which targets each pod reaches, as policies are evaluated: a selected pod has only the flows that some policy lists. */
  function flows(objects: Manifest[]): Record<string, string[]> {
    const policies = objects.filter(({ kind }) => kind === 'NetworkPolicy').map(({ spec }) => spec as PolicySpec);
    const portOf = (target: Pod, port: number | string): number | undefined => {
      if (typeof port === 'number') return port;
      const deployment = objects.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === target.name);
      return deployment && containersOf(deployment)[0]!.ports!.find(({ name }) => name === port)?.containerPort;
    };
    const isAllowed = (side: 'Ingress' | 'Egress', self: Pod, peer: Pod, target: Pod, port: number): boolean => {
      if (self.namespace !== 'tandem') return true;
      const selected = policies.filter((policy) => policy.policyTypes.includes(side) && selects(policy.podSelector, self));
      if (selected.length === 0) return true;
      const rules = selected.flatMap((policy) => (side === 'Ingress' ? policy.ingress : policy.egress) ?? []);
      return rules.some(({ from, to, ports }) => {
        const peers = side === 'Ingress' ? from : to;
        return (
          (!peers || peers.some((each) => matchesPeer(each, peer))) && (!ports || ports.some((each) => portOf(target, each.port) === port))
        );
      });
    };
    const isOpen = (from: Pod, to: Pod, port: number) =>
      isAllowed('Egress', from, to, to, port) && isAllowed('Ingress', to, from, to, port);
    return Object.fromEntries(
      Object.entries(pods).map(([name, from]) => [
        name,
        Object.entries(pods)
          .filter(([, to]) => from !== to && (from.namespace === 'tandem' || to.namespace === 'tandem'))
          .flatMap(([target, to]) => portNumbers.filter((port) => isOpen(from, to, port)).map((port) => `${target}:${port}`)),
      ]),
    );
  }
  interface PolicySpec {
    podSelector: Peer['podSelector'];
    policyTypes: string[];
    ingress?: Rule[];
    egress?: Rule[];
  }

  const at = (hosts: string[], ...ports: number[]) => hosts.flatMap((host) => ports.map((port) => `${host}:${port}`));
  const inCluster = ['proxy', 'prometheus', 'stranger', 'dns', 'database', 'network'];
  const dns = ['dns:53'];
  const service = (...internet: number[]) => [...dns, ...at(inCluster, 4222, 5432, 6379), ...at(['internet'], ...internet)].sort();
  const httpOfServices = services.map((name, i) => `${name}:${4001 + i}`);
  const metrics = [...services, 'gateway'].map((name) => `${name}:9464`);
  /** Incoming email is accepted from everywhere; pods of the namespace may send it only as far as their own rules go. */
  const expected = {
    identity: service(443),
    tickets: service(143, 443, 993),
    notifications: service(25, 443, 465, 587, 2525),
    integrations: service(443),
    analytics: service(),
    gateway: [...dns, ...at(inCluster, 4222, 6379), ...httpOfServices].sort(),
    migrate: [...dns, ...at(inCluster, 5432)].sort(),
    prometheus: [...metrics, 'tickets:2525'].sort(),
    stranger: ['tickets:2525'],
    dns: ['tickets:2525'],
    database: ['tickets:2525'],
    internet: ['tickets:2525'],
    cloud: ['tickets:2525'],
    network: ['tickets:2525'],
  };
  const sorted = (all: Record<string, string[]>) => Object.fromEntries(Object.entries(all).map(([name, list]) => [name, [...list].sort()]));

  it('allows the listed flows only, behind the Gateway API', () => {
    const found = sorted(flows(render('prod', ['gateway-api', 'network-policy'])));
    expect(found).toEqual({ ...expected, proxy: ['gateway:3000', 'tickets:2525'], caddy: ['dns:53'] });
  });

  it('allows the listed flows only, behind Caddy', () => {
    const found = sorted(flows(render('prod', ['caddy', 'network-policy'])));
    const entry = ['caddy:443', 'caddy:80'];
    const outside = ['proxy', 'prometheus', 'stranger', 'dns', 'database', 'internet', 'cloud', 'network'] as const;
    const open = outside.map((name) => [name, [...entry, ...(name === 'proxy' ? ['tickets:2525'] : expected[name])].sort()]);
    const caddy = ['dns:53', 'gateway:3000', 'gateway:3001', 'internet:443'];
    expect(found).toEqual({ ...expected, ...Object.fromEntries(open), caddy });
  });

  it('Caddy reaches the gateway without this component, too', () => {
    expect(flows(render('prod', ['caddy'])).caddy).toEqual(expect.arrayContaining(['gateway:3000', 'gateway:3001']));
  });
});
