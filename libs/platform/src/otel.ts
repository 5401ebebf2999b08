/**
 * Built as a separate file and loaded before the process (`node --require ./dist/otel.js dist/main.js`), because modules that are
 * loaded earlier cannot be traced. Without OTEL_EXPORTER_OTLP_ENDPOINT no SDK is loaded; stack traces refer to our sources in any case.
 * Reads the environment directly, since the configuration is loaded later; variables.ts describes its variables with all others.
 */
import { hostname } from 'node:os';
import type { NodeSDK as Sdk } from '@opentelemetry/sdk-node';
import { withoutShortQueries } from './short-queries';
import { installSourceMaps } from './source-maps';
import { withoutSecrets } from './span-secrets';
import { sdkKey } from './telemetry-key';

/** Set by rolldown.config.mjs: the name of the process that this bundle belongs to. */
declare const __PROCESS__: string;
/** Set by rolldown.config.mjs: the version in package.json. */
declare const __VERSION__: string;

/* oxlint-disable typescript/no-require-imports -- loaded only if tracing is enabled: it costs 60 MB and half a second */
function start(): void {
  const { NodeSDK } = require('@opentelemetry/sdk-node') as typeof import('@opentelemetry/sdk-node');
  const { OTLPTraceExporter } =
    require('@opentelemetry/exporter-trace-otlp-http') as typeof import('@opentelemetry/exporter-trace-otlp-http');
  const { HttpInstrumentation } = require('@opentelemetry/instrumentation-http') as typeof import('@opentelemetry/instrumentation-http');
  const { PgInstrumentation } = require('@opentelemetry/instrumentation-pg') as typeof import('@opentelemetry/instrumentation-pg');
  const { IORedisInstrumentation } =
    require('@opentelemetry/instrumentation-ioredis') as typeof import('@opentelemetry/instrumentation-ioredis');

  // Traces are recorded completely or not at all. The gateway ignores the sampling decision of external callers.
  process.env.OTEL_TRACES_SAMPLER ||= __PROCESS__ === 'gateway' ? 'traceidratio' : 'parentbased_traceidratio';
  process.env.OTEL_TRACES_SAMPLER_ARG ||= '0.1';
  // The version and the replica that recorded a trace. Attributes that the operator sets come later, and so take precedence.
  process.env.OTEL_NODE_RESOURCE_DETECTORS ||= 'env';
  const own = `service.version=${__VERSION__},service.instance.id=${hostname()}-${process.pid}`;
  process.env.OTEL_RESOURCE_ATTRIBUTES = [own, process.env.OTEL_RESOURCE_ATTRIBUTES].filter(Boolean).join(',');
  const sdk = new NodeSDK({
    serviceName: process.env.OTEL_SERVICE_NAME || `tandem-${__PROCESS__}`,
    traceExporter: withoutShortQueries(withoutSecrets(new OTLPTraceExporter())),
    metricReaders: [], // Prometheus reads them from METRICS_PORT
    logRecordProcessors: [],
    instrumentations: [
      new HttpInstrumentation({ ignoreIncomingRequestHook: (request) => request.url?.startsWith('/health/') ?? false }),
      new PgInstrumentation({ requireParentSpan: true }),
      new IORedisInstrumentation({ requireParentSpan: true, dbStatementSerializer: (command) => command }),
    ],
  });
  sdk.start();
  (globalThis as { [sdkKey]?: Sdk })[sdkKey] = sdk;
}

installSourceMaps(__dirname);

if (process.env.OTEL_EXPORTER_OTLP_ENDPOINT) start();
else delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT; // compose passes an empty string, which the SDK rejects as an address
