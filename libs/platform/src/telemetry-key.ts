/** Where `otel.ts`, a bundle of its own, leaves its SDK for `flushTraces`. */
export const sdkKey = Symbol.for('tandem.telemetry.sdk');
