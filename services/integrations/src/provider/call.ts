import { Agent, withClientSpan } from '@tandem/platform';
import { parseStorable } from './read';
import { ToolError, type RateState, type TaskTool, type ToolAccess, type ToolAnswer, type ToolCall, type ToolSettings } from './task-tool';

/** Maximum response size in bytes. A page of a hundred tasks with long descriptions stays below a megabyte. */
const largestAnswer = 5_000_000;

/** One keep-alive agent for all tools and organizations of a process. Idle connections are closed before the tools' servers close them. */
const agent = new Agent({
  connections: 32,
  pipelining: 1,
  connect: { timeout: 5_000 },
  keepAliveTimeout: 4_000,
  keepAliveMaxTimeout: 30_000,
});

export interface OutgoingRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: unknown;
  /** For the whole request, including connecting and reading the response. */
  timeoutMs: number;
}

/**
 * Sends one request to a task tool and returns its response, with any status; redirects are not followed. Throws `ToolError` `unreachable` if
 * there is no response, or an invalid one. For calls without credentials, such as exchanging a code for a token; all other calls use
 * `makeCall`.
 */
export function sendToTool(request: OutgoingRequest): Promise<ToolAnswer> {
  const attributes = { 'http.request.method': request.method, 'server.address': new URL(request.url).hostname };
  return withClientSpan(request.method, attributes, async (span) => {
    const answer = await exchange(request);
    span.setAttribute('http.response.status_code', answer.status);
    return answer;
  });
}

async function exchange({ method, url, headers, body, timeoutMs }: OutgoingRequest): Promise<ToolAnswer> {
  const signal = AbortSignal.timeout(timeoutMs);
  let status: number;
  let named: Record<string, string>;
  let text: string;
  try {
    const { origin, pathname, search } = new URL(url);
    const answer = await agent.request({
      origin,
      path: pathname + search,
      method,
      headers: { accept: 'application/json', 'content-type': 'application/json', 'user-agent': 'Tandem', ...headers },
      body: body === undefined ? null : JSON.stringify(body),
      signal,
    });
    status = answer.statusCode;
    named = Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]));
    text = await readBounded(answer.body);
  } catch (error) {
    const reason = signal.aborted ? `The task tool did not answer within ${timeoutMs} ms` : reasonOf(error);
    throw new ToolError('unreachable', reason, { cause: error, sent: !wasNeverSent(error) });
  }
  return { status, headers: named, body: parse(text, status) };
}

export interface CallOptions {
  tool: TaskTool;
  settings: ToolSettings;
  access: ToolAccess;
  timeoutMs: number;
  /** `before` may throw to prevent a call; `after` is called for each call that was made, even one without a response. */
  hooks?: { before?(): Promise<void>; after?(rate: RateState | undefined, problem: ToolError | undefined): Promise<void> };
}

/** Calls with one tool's credentials: every unsuccessful response is thrown as the error that the tool defines for it. */
export function makeCall({ tool, settings, access, timeoutMs, hooks }: CallOptions): ToolCall {
  const base = tool.baseUrl(settings);
  return async ({ method, path, body }) => {
    await hooks?.before?.();
    let answer: ToolAnswer;
    try {
      answer = await sendToTool({ method, url: base + path, headers: tool.headers(access), body, timeoutMs });
    } catch (error) {
      if (error instanceof ToolError) await hooks?.after?.(undefined, error);
      throw error;
    }
    const succeeded = answer.status >= 200 && answer.status < 300;
    const problem = succeeded ? undefined : tool.toolProblem(answer, new Date().toISOString());
    await hooks?.after?.(tool.rateOf(answer.headers), problem);
    if (problem) throw problem;
    return answer;
  };
}

async function readBounded(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > largestAnswer) throw new Error('The response exceeds the maximum size');
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** A page that is not JSON comes from a proxy, not from the tool, regardless of its status. Only a 429 may have no JSON body. */
function parse(text: string, status: number): unknown {
  if (text.trim() === '') return undefined;
  try {
    return parseStorable(text);
  } catch (error) {
    if (status === 429) return undefined;
    throw new ToolError('unreachable', `The task tool returned ${status} with a body that is not JSON`, { status, cause: error });
  }
}

/**
 * The connection failed, so the tool has not received the request. All other errors count as sent: such a request may still take effect
 * after the timeout.
 */
const wasNeverSent = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && connectingFailed.has(String(error.code));
const connectingFailed = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** Never includes the URL, which may contain customer text. */
function reasonOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string'
    ? `The task tool could not be reached (${code})`
    : 'The task tool could not be reached, or its answer broke off';
}
