import type { Context, Operation, Page } from '@tandem/contracts';

/** An answer as it goes over the wire, and as it is kept for its idempotency key. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  /** JSON text; empty with status 204. */
  body: string;
}

/**
 * The envelope around what a handler returned. With `strict`, a result that the contract does not declare throws: it
 * would otherwise be noticed by the first customer whose client is strict.
 */
export function answerOf(op: Operation, ctx: Context, result: unknown, strict: boolean): Answer {
  if (strict) assertDeclared(op, result);
  const page = op.paginated ? (result as Page<unknown>) : undefined;
  const data = page ? page.items : result;
  const headers: Record<string, string> = {};
  if (op.etag && data !== null && data !== undefined) headers['etag'] = `"${op.etag(data as never)}"`;
  if (op.status === 204) return { status: 204, headers, body: '' };
  const meta = { request_id: ctx.request_id, ...(page ? { pagination: page.pagination } : {}) };
  return { status: op.status, headers, body: JSON.stringify({ success: true, data: data ?? null, meta }) };
}

/** Whether `If-None-Match` names the answer's tag, so that 304 says it all. */
export function notModified(answer: Answer, ifNoneMatch: string | undefined): boolean {
  const tag = answer.headers['etag'];
  if (tag === undefined || ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(',').some((candidate) => candidate.trim() === '*' || candidate.trim().replace(/^W\//, '') === tag);
}

function assertDeclared(op: Operation, result: unknown): void {
  const values = op.paginated ? (result as Page<unknown> | undefined)?.items : [result];
  if (!Array.isArray(values)) throw new Error(`${op.name} is paginated: return { items, pagination }`);
  for (const value of values) {
    const parsed = op.output.safeParse(value);
    if (!parsed.success) throw new Error(`${op.name} returned what its contract does not declare: ${parsed.error.message}`);
    const [path] = undeclared(value, parsed.data, '');
    if (path !== undefined) throw new Error(`${op.name} returned a member that its contract does not declare: ${path}`);
  }
}

/** Paths in `value` that parsing dropped. */
function undeclared(value: unknown, parsed: unknown, path: string): string[] {
  if (Array.isArray(value) && Array.isArray(parsed))
    return value.flatMap((item, index) => undeclared(item, parsed[index], `${path}[${index}]`));
  if (typeof value !== 'object' || value === null || typeof parsed !== 'object' || parsed === null) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    if (member === undefined) return [];
    const at = path === '' ? key : `${path}.${key}`;
    return key in parsed ? undeclared(member, (parsed as Record<string, unknown>)[key], at) : [at];
  });
}
