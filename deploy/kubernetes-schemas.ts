import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import * as ts from 'typescript';
import * as z from 'zod';
import type { Manifest } from './kustomization.ts';

const hostname = z.string().regex(/^(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)+$/);
const duration = z.string().regex(/^([0-9]{1,5}(h|m|s|ms)){1,4}$/);
const metadata = z.strictObject({
  name: z.string(),
  namespace: z.string().optional(),
  labels: z.record(z.string(), z.string()).optional(),
  annotations: z.record(z.string(), z.string()).optional(),
});
const port = z.number().int().min(1).max(65_535);
const listener = z
  .strictObject({
    name: z.string().regex(/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/),
    hostname: hostname.optional(),
    protocol: z.enum(['HTTP', 'HTTPS']),
    port,
    tls: z.strictObject({ mode: z.literal('Terminate'), certificateRefs: z.array(z.strictObject({ name: z.string() })).min(1) }).optional(),
  })
  .refine(({ protocol, tls }) => (protocol === 'HTTPS') === (tls !== undefined), 'HTTPS needs tls, and HTTP must not have it');
const redirect = z.strictObject({
  type: z.literal('RequestRedirect'),
  requestRedirect: z.strictObject({ scheme: z.enum(['http', 'https']), statusCode: z.union([z.literal(301), z.literal(302)]) }),
});
const rule = z
  .strictObject({
    backendRefs: z.array(z.strictObject({ name: z.string(), port })).optional(),
    filters: z.array(redirect).optional(),
    timeouts: z.strictObject({ request: duration.optional(), backendRequest: duration.optional() }).optional(),
  })
  .refine(({ backendRefs, filters }) => (backendRefs === undefined) !== (filters === undefined), 'a redirect has no backend');

const size = z.strictObject({ size: z.string().regex(/^[1-9][0-9]*(Mi|Gi|Ti)$/) });
const secretKey = z.strictObject({ name: z.string(), key: z.string() });
const custom = (spec: z.ZodType) => z.strictObject({ apiVersion: z.string(), kind: z.string(), metadata, spec });

/**
 * The fields of custom resources that k8s/ uses, as in the definitions of the Gateway API 1.2, KEDA 2, CloudNativePG 1, External Secrets 1 and
 * the Prometheus operator; other fields are refused. The rules for Prometheus are checked in monitoring.spec.ts.
 */
const customSchemas: Record<string, Record<string, z.ZodType>> = {
  'gateway.networking.k8s.io/v1': {
    Gateway: z.strictObject({
      apiVersion: z.string(),
      kind: z.string(),
      metadata,
      spec: z.strictObject({ gatewayClassName: z.string(), listeners: z.array(listener).min(1).max(64) }),
    }),
    HTTPRoute: z.strictObject({
      apiVersion: z.string(),
      kind: z.string(),
      metadata,
      spec: z.strictObject({
        parentRefs: z.array(z.strictObject({ name: z.string(), sectionName: z.string() })).min(1),
        hostnames: z.array(hostname).max(16).optional(),
        rules: z.array(rule).min(1).max(16),
      }),
    }),
  },
  'keda.sh/v1alpha1': {
    ScaledObject: custom(
      z.strictObject({
        scaleTargetRef: z.strictObject({ name: z.string() }),
        minReplicaCount: z.number().int().min(1),
        maxReplicaCount: z.number().int(),
        cooldownPeriod: z.number().int(),
        triggers: z
          .array(
            z.strictObject({
              type: z.literal('prometheus'),
              // All values are strings.
              metadata: z.strictObject({ serverAddress: z.url(), query: z.string(), threshold: z.string() }),
            }),
          )
          .min(1),
      }),
    ),
  },
  'postgresql.cnpg.io/v1': {
    Cluster: custom(
      z.strictObject({
        instances: z.number().int().min(1),
        imageName: z.string(),
        enableSuperuserAccess: z.boolean(),
        storage: size,
        walStorage: size,
        resources: z.looseObject({}),
        affinity: z.strictObject({ topologyKey: z.string(), podAntiAffinityType: z.enum(['preferred', 'required']) }),
        postgresql: z.strictObject({
          parameters: z.record(z.string(), z.string()),
          synchronous: z.strictObject({ method: z.enum(['any', 'first']), number: z.number().int().min(1) }),
        }),
        backup: z.strictObject({
          retentionPolicy: z.string().regex(/^[1-9][0-9]*[dwm]$/),
          barmanObjectStore: z.strictObject({
            destinationPath: z.string().regex(/^s3:/),
            endpointURL: z.url(),
            s3Credentials: z.strictObject({ accessKeyId: secretKey, secretAccessKey: secretKey }),
            wal: z.strictObject({ compression: z.enum(['gzip', 'bzip2', 'snappy', 'zstd', 'lz4', 'xz']) }),
          }),
        }),
      }),
    ),
    ScheduledBackup: custom(
      z.strictObject({
        // Six fields: seconds first.
        schedule: z.string().regex(/^(\S+ ){5}\S+$/),
        backupOwnerReference: z.enum(['none', 'self', 'cluster']),
        cluster: z.strictObject({ name: z.string() }),
      }),
    ),
  },
  'external-secrets.io/v1': {
    ExternalSecret: custom(
      z.strictObject({
        refreshInterval: duration,
        secretStoreRef: z.strictObject({ kind: z.enum(['SecretStore', 'ClusterSecretStore']), name: z.string() }),
        target: z.strictObject({ name: z.string() }),
        dataFrom: z.array(z.strictObject({ extract: z.strictObject({ key: z.string() }) })).min(1),
      }),
    ),
  },
  'monitoring.coreos.com/v1': {
    PodMonitor: z.looseObject({
      metadata,
      spec: z.looseObject({ podMetricsEndpoints: z.array(z.looseObject({ port: z.string() })).min(1) }),
    }),
    PrometheusRule: z.looseObject({ metadata, spec: z.strictObject({ groups: z.array(z.looseObject({ name: z.string() })).min(1) }) }),
  },
};

const moduleOf = ({ apiVersion }: Manifest): string => `kubernetes-models/${apiVersion}`;

const isCustom = ({ apiVersion }: Manifest): boolean => apiVersion in customSchemas;

/** Violations of Kubernetes' OpenAPI schemas, and of those of custom resources. */
export function invalid(objects: Manifest[]): string[] {
  const input = JSON.stringify(objects.filter((object) => !isCustom(object)));
  const ofOperators = objects.filter(isCustom).flatMap((object) => {
    const parsed = customSchemas[object.apiVersion]?.[object.kind]?.safeParse(object);
    if (parsed?.success === true) return [];
    return [`${object.kind} ${object.metadata.name}: ${parsed ? z.prettifyError(parsed.error) : `unknown in ${object.apiVersion}`}`];
  });
  const native = JSON.parse(
    execFileSync(process.execPath, [join(__dirname, 'kubernetes-schemas.mjs')], { input, encoding: 'utf8' }),
  ) as string[];
  return [...native, ...ofOperators];
}

/** Fields that do not exist: like an API server without strict validation the schemas accept them, but TypeScript does not. */
export function mistyped(objects: Manifest[]): string[] {
  const file = join(__dirname, 'manifests-as-types.ts');
  const lines = objects
    .filter((object) => !isCustom(object))
    .map((object, i) => `export const o${i}: import('${moduleOf(object)}').I${object.kind} = ${JSON.stringify(object)};`);
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    target: ts.ScriptTarget.ES2024,
    module: ts.ModuleKind.Preserve,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (name) => name === file || fileExists(name);
  host.getSourceFile = (name, target, ...rest) =>
    name === file ? ts.createSourceFile(file, lines.join('\n'), target) : getSourceFile(name, target, ...rest);
  const program = ts.createProgram([file], options, host);
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}
