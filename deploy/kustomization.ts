import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';

/** A Kubernetes object as in a manifest. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Record<string, string> };
  data?: Record<string, string>;
  stringData?: Record<string, string>;
  // Deeply nested and different for each kind; Kubernetes' own types check it (manifests.spec.ts).
  // oxlint-disable-next-line typescript/no-explicit-any
  spec?: any;
}

interface Patch {
  target: { kind: string; name?: string; labelSelector?: string };
  patch: string;
}
interface Generator {
  name: string;
  behavior?: 'merge';
  literals?: string[];
  files?: string[];
}
interface Kustomization {
  namespace?: string;
  resources?: string[];
  components?: string[];
  configMapGenerator?: Generator[];
  images?: { name: string; newName?: string; newTag?: string }[];
  patches?: Patch[];
}
/** Cluster-scoped kinds. */
export const ofCluster: ReadonlySet<string> = new Set(['Namespace', 'PriorityClass']);

const understood = ['apiVersion', 'kind', 'namespace', 'resources', 'components', 'configMapGenerator', 'images', 'patches'];

/**
 * The output of `kubectl kustomize <folder>`, for the features of kustomize that k8s/ uses (others throw), so that tests need no kubectl.
 * Names of generated ConfigMaps have no hash.
 */
export function rendered(folder: string): Manifest[] {
  return render(folder, []);
}

function render(folder: string, given: Manifest[]): Manifest[] {
  const kustomization = parse(readFileSync(join(folder, 'kustomization.yaml'), 'utf8')) as Kustomization;
  const unknown = Object.keys(kustomization).filter((key) => !understood.includes(key));
  if (unknown.length > 0) throw new Error(`${folder}: ${unknown.join(', ')} is not supported here`);

  let objects = [...given, ...(kustomization.resources ?? []).flatMap((resource) => load(join(folder, resource)))];
  for (const generator of kustomization.configMapGenerator ?? []) generate(folder, generator, objects);
  for (const component of kustomization.components ?? []) objects = render(join(folder, component), objects);
  for (const patch of kustomization.patches ?? []) apply(patch, objects);
  for (const image of kustomization.images ?? []) rename(image, objects);
  for (const { kind, metadata } of objects) {
    if (kustomization.namespace && !ofCluster.has(kind)) metadata.namespace = kustomization.namespace;
  }
  return objects;
}

function load(path: string): Manifest[] {
  if (existsSync(join(path, 'kustomization.yaml'))) return render(path, []);
  return manifests(readFileSync(path, 'utf8'));
}

/** The objects in a YAML text; throws on duplicate keys and everything else that YAML warns about. */
export function manifests(text: string): Manifest[] {
  return parseAllDocuments(text).map((document) => {
    const [problem] = [...document.errors, ...document.warnings];
    if (problem) throw problem;
    return document.toJS() as Manifest;
  });
}

function generate(folder: string, { name, behavior, literals = [], files = [] }: Generator, objects: Manifest[]): void {
  const data = Object.fromEntries([
    ...literals.map((literal) => [literal.slice(0, literal.indexOf('=')), literal.slice(literal.indexOf('=') + 1)]),
    ...files.map((file) => [file, readFileSync(join(folder, file), 'utf8')]),
  ]) as Record<string, string>;
  const old = objects.find((object) => object.kind === 'ConfigMap' && object.metadata.name === name);
  if ((behavior === 'merge') !== (old !== undefined)) throw new Error(`ConfigMap ${name}: merge needs an existing one`);
  if (old) Object.assign((old.data ??= {}), data);
  else objects.push({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data });
}

function apply({ target, patch }: Patch, objects: Manifest[]): void {
  const [label, value] = target.labelSelector?.split('=') ?? [];
  const targets = objects.filter(
    ({ kind, metadata }) =>
      kind === target.kind &&
      (!target.name || target.name.split('|').includes(metadata.name)) &&
      (!label || metadata.labels?.[label] === value),
  );
  if (targets.length === 0) throw new Error(`a patch matches nothing: ${JSON.stringify(target)}`);
  for (const { op, path, value: put } of parse(patch) as { op: string; path: string; value?: unknown }[]) {
    const keys = path.slice(1).split('/');
    const last = keys.pop()!;
    for (const object of targets) {
      const holder = keys.reduce((at, key) => at[key] as Record<string, unknown>, object as unknown as Record<string, unknown>);
      if (!['add', 'replace', 'remove'].includes(op) || last in holder === (op === 'add'))
        throw new Error(`cannot ${op} ${path} of ${object.metadata.name}`);
      if (op === 'remove') delete holder[last];
      else holder[last] = put;
    }
  }
}

function rename({ name, newName = name, newTag }: { name: string; newName?: string; newTag?: string }, objects: Manifest[]): void {
  for (const container of objects.flatMap(containersOf)) {
    const [image, tag] = container.image.split(':');
    if (image === name) container.image = [newName, newTag ?? tag].filter(Boolean).join(':');
  }
}

export interface Container {
  name: string;
  image: string;
  command?: string[];
  args?: string[];
  envFrom?: { configMapRef?: { name: string }; secretRef?: { name: string; optional?: boolean } }[];
  env?: { name: string; value?: string; valueFrom?: { secretKeyRef: { name: string; key: string; optional?: boolean } } }[];
  ports?: { name?: string; containerPort: number }[];
  securityContext?: Record<string, unknown>;
  [probe: `${string}Probe`]: { httpGet: { path: string; port: string } } | undefined;
}

/** The containers of an object with a pod template; empty for other objects. */
export const containersOf = ({ spec }: Manifest): Container[] =>
  (spec as { template?: { spec?: { containers?: Container[] } } } | undefined)?.template?.spec?.containers ?? [];
