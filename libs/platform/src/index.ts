export { hasApiTokenValue, isApiTokenValue, newApiTokenValue } from './api-token-value';
export { ConcurrencyLimit } from './concurrency-limit';
export * from './config';
export * from './context';
export * from './dns';
export { Drain } from './drain';
export * from './health';
export * from './hosts';
export { KeptConnections } from './kept-connections';
export * from './log';
export {
  counter,
  gauge,
  histogram,
  metricDefinitions,
  observableGauge,
  onScrape,
  startMetrics,
  type MetricDefinition,
  type ObservableGauge,
  type Observation,
  type OpenMetrics,
} from './metrics';
export { EmailTokens } from './email-tokens';
export { emailTokensProvider, mailVariables, type MailConfig } from './mail-config';
export * from './problem';
export { contextOf, identifyCaller, requireContext } from './request';
export * from './run';
export * from './safe-fetch';
export * from './secrets';
export * from './service';
export { flushTraces, injectTrace, tracer, withClientSpan, withTrace } from './telemetry';
export { discardBody, exemptFromTimeout } from './slow-requests';
export { Agent, Pool } from './undici';
