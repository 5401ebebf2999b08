/** The global under which `otel.ts`, a separate bundle, stores its SDK for `flushTraces`. */
export const sdkKey = Symbol.for('tandem.telemetry.sdk');
