/**
 * Built as a file of its own and loaded before the process (`node --require ./dist/otel.js dist/main.js`): what is required
 * earlier cannot be traced. Without OTEL_EXPORTER_OTLP_ENDPOINT no SDK is loaded; stack traces are made readable in any case.
 * Reads the environment itself, since the configuration comes later; the variables are described with all others in variables.ts.
 */
import { setSourceMapsSupport } from 'node:module';
import type { NodeSDK as Sdk } from '@opentelemetry/sdk-node';
import { withoutSecrets } from './span-secrets';
import { sdkKey } from './telemetry-key';

/** Set by rolldown.config.mjs: the process that this bundle belongs to. */
declare const __PROCESS__: string;

/* eslint-disable @typescript-eslint/no-require-imports -- loaded only when it is wanted: 60 MB and half a second otherwise for nothing */
function start(): void {
  const { NodeSDK } = require('@opentelemetry/sdk-node') as typeof import('@opentelemetry/sdk-node');
  const { OTLPTraceExporter } =
    require('@opentelemetry/exporter-trace-otlp-http') as typeof import('@opentelemetry/exporter-trace-otlp-http');
  const { HttpInstrumentation } = require('@opentelemetry/instrumentation-http') as typeof import('@opentelemetry/instrumentation-http');
  const { PgInstrumentation } = require('@opentelemetry/instrumentation-pg') as typeof import('@opentelemetry/instrumentation-pg');
  const { IORedisInstrumentation } =
    require('@opentelemetry/instrumentation-ioredis') as typeof import('@opentelemetry/instrumentation-ioredis');

  // The whole trace or none of it; but strangers, who meet the gateway, do not decide what is recorded.
  process.env.OTEL_TRACES_SAMPLER ||= __PROCESS__ === 'gateway' ? 'traceidratio' : 'parentbased_traceidratio';
  process.env.OTEL_TRACES_SAMPLER_ARG ||= '0.1';
  const sdk = new NodeSDK({
    serviceName: process.env.OTEL_SERVICE_NAME || `tandem-${__PROCESS__}`,
    autoDetectResources: false,
    traceExporter: withoutSecrets(new OTLPTraceExporter()),
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

// Stack traces name our sources. `--enable-source-maps` would keep the maps of all packages in memory as well: 15 MB.
setSourceMapsSupport(true, { nodeModules: false, generatedCode: false });

if (process.env.OTEL_EXPORTER_OTLP_ENDPOINT) start();
else delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT; // an empty one, as compose passes it, would be no address to the SDK
