import { types } from 'node:util';
import type { LoggerService } from '@nestjs/common';
import { trace } from '@opentelemetry/api';
import pino from 'pino';

export type Logger = pino.Logger;

const hidden = '[redacted]';
// Names are compared in snake_case, so setCookie, Set-Cookie and set_cookie are the same. `token_id` and `idempotency_key` are not secrets.
const secretName =
  /(^|_)(pass|password|passwd|passphrase|secret|token|cookie|authorization|credential|api_?key|encryption_key|csrf|tandem_context)s?$|^sealed_/;
const snake = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/-/g, '_')
    .toLowerCase();

// Secrets that may be part of a string, mostly of an error message.
const secretTexts: [RegExp, string][] = [
  [/([a-z][a-z0-9+.-]*:\/\/)[^\s/@"\\]+@/gi, `$1${hidden}@`], // postgres://user:password@host
  [/\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{6,}/gi, `$1 ${hidden}`],
  [/\btnd_[a-z]+_[A-Za-z0-9_-]+/g, hidden],
  [/([?&](?:token|code|secret|signature|sig|key|state|password)=)[^&\s"\\]+/gi, `$1${hidden}`],
];

const deepest = 8;
const longestList = 100;

/** Returns a copy without secrets. Errors become plain objects; cycles, depth and long lists are cut. */
function redact(value: unknown, depth = 0): unknown {
  if (value === null || typeof value !== 'object') return typeof value === 'bigint' ? String(value) : value;
  if (types.isDate(value)) return value;
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (depth >= deepest) return '[deeper]';
  if (value instanceof Error || types.isNativeError(value)) return redactError(value, depth);
  if (Array.isArray(value)) return value.slice(0, longestList).map((item) => redact(item, depth + 1));
  if (value instanceof Map) return redact(Object.fromEntries(value), depth);
  if (value instanceof Set) return redact([...value], depth);
  return redactMembers(value, depth);
}

function redactMembers(value: object, depth: number): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) {
    if (typeof member === 'function') continue;
    copy[key] = secretName.test(snake(key)) && member != null ? hidden : redact(member, depth + 1);
  }
  return copy;
}

function redactError(error: Error, depth: number): Record<string, unknown> {
  return {
    type: error.name,
    message: error.message,
    stack: error.stack,
    ...redactMembers(error, depth),
    ...(error.cause === undefined ? {} : { cause: redact(error.cause, depth + 1) }),
    ...('errors' in error ? { errors: redact(error.errors, depth + 1) } : {}),
  };
}

/** Removes strings that look like secrets from a serialized log line. */
const scrub = (line: string): string => secretTexts.reduce((text, [pattern, instead]) => text.replace(pattern, instead), line);

const asMembers = (value: unknown): Record<string, unknown> => value as Record<string, unknown>;

/** The ids of the current span, which link a log line to its trace. */
function traceOf(): Record<string, string> {
  const span = trace.getActiveSpan()?.spanContext();
  return span ? { trace_id: span.traceId, span_id: span.spanId } : {};
}

/**
 * JSON lines on standard output: `time` (ISO), `level`, `service`, `msg`; `child({ request_id, organization_id })` adds fields.
 * Redacts members called password, token, cookie, authorization, secret, `sealed_*` and similar, at any depth and
 * in errors too, and credentials inside strings (URLs, Bearer). It cannot recognize a secret under another name.
 */
export function createLogger(name: string, level = 'info', destination?: pino.DestinationStream): Logger {
  const options: pino.LoggerOptions = {
    level,
    base: { service: name },
    timestamp: pino.stdTimeFunctions.isoTime,
    mixin: traceOf,
    // `redact` has already serialized errors; pino's default serializer would serialize the original.
    serializers: { err: (value: unknown) => value },
    formatters: {
      level: (label) => ({ level: label }),
      log: (members) => asMembers(redact(members)),
    },
    hooks: { streamWrite: scrub },
  };
  return redactingChildren(destination ? pino(options, destination) : pino(options));
}

/** One system call per request would cost more than its line. */
const flushAfterMs = 50;

/** Loggers with lines that are not written yet, which are written when the process exits. */
const unwritten = new Set<AccessLog>();
let writesAtExit = false;

/**
 * Writes lines in the format of `createLogger` to the output of `logger`, in batches. It redacts nothing: the fields must be known and contain
 * no text of a client.
 */
export class AccessLog {
  #lines = '';
  readonly #destination: pino.DestinationStream;

  constructor(
    private readonly name: string,
    logger: Logger,
  ) {
    this.#destination = (logger as unknown as Record<symbol, pino.DestinationStream>)[pino.symbols.streamSym]!;
  }

  add(level: 'debug' | 'info', fields: Record<string, string | number>): void {
    if (this.#lines === '') this.#flushSoon();
    const head = { level, time: new Date().toISOString(), service: this.name };
    this.#lines += `${JSON.stringify({ ...head, ...traceOf(), ...fields, msg: 'request' })}\n`;
  }

  flush(): void {
    unwritten.delete(this);
    if (this.#lines !== '') this.#destination.write(this.#lines);
    this.#lines = '';
  }

  #flushSoon(): void {
    if (!writesAtExit) process.on('exit', () => unwritten.forEach((log) => log.flush()));
    writesAtExit = true;
    unwritten.add(this);
    setTimeout(() => this.flush(), flushAfterMs).unref();
  }
}

/** pino's formatters do not get a child's bindings, so they are redacted first. Children of children inherit this. */
function redactingChildren(logger: Logger): Logger {
  // oxlint-disable-next-line typescript/unbound-method -- called with the logger that the child is made of, below
  const child = logger.child as unknown as (this: Logger, bindings: pino.Bindings, options?: pino.ChildLoggerOptions) => Logger;
  const redacting = function (this: Logger, bindings: pino.Bindings, options?: pino.ChildLoggerOptions): Logger {
    return child.call(this, asMembers(redact(bindings)), options);
  };
  return Object.assign(logger, { child: redacting });
}

/** Sends Nest's own messages to our logger; its messages about each route at start have debug level. */
export class NestLog implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, ...rest: unknown[]): void {
    this.#write('debug', message, rest);
  }
  debug(message: unknown, ...rest: unknown[]): void {
    this.#write('debug', message, rest);
  }
  verbose(message: unknown, ...rest: unknown[]): void {
    this.#write('trace', message, rest);
  }
  warn(message: unknown, ...rest: unknown[]): void {
    this.#write('warn', message, rest);
  }
  error(message: unknown, ...rest: unknown[]): void {
    this.#write('error', message, rest);
  }
  fatal(message: unknown, ...rest: unknown[]): void {
    this.#write('fatal', message, rest);
  }

  /** Nest passes (message, stack?, …, context): the last string is the context, a string with line breaks the stack. */
  #write(level: 'trace' | 'debug' | 'warn' | 'error' | 'fatal', message: unknown, rest: unknown[]): void {
    const texts = rest.filter((each): each is string => typeof each === 'string');
    const stack = texts.find((text) => text.includes('\n    at '));
    const context = texts.findLast((text) => text !== stack);
    const err = message instanceof Error ? message : rest.find((each) => each instanceof Error);
    const text = message instanceof Error ? message.message : typeof message === 'string' ? message : JSON.stringify(message);
    this.logger[level]({ ...(context ? { context } : {}), ...(err ? { err } : stack ? { stack } : {}) }, text);
  }
}
