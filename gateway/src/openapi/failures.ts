import { AppError, problems, uploadFile, uploadImportFile, type Operation, type Problem, type ProblemCode } from '@tandem/contracts';
import { usesSession } from '../routes/for-operation';
import { headerRefs, ref, type headers } from './components';
import type { Json } from './schemas';
import { shareRepeated } from './shared-parts';

/** Accepts any content type and uses no session, so CSRF is not possible. */
const acceptsAnyContentType = (op: Operation): boolean =>
  op.name === uploadFile.name || op.name === uploadImportFile.name || op.allow === 'gateway';

/** The problems of an operation: its own, and those of every operation of its kind. */
export function problemsOf(op: Operation): ProblemCode[] {
  const unsafe = op.method !== 'GET';
  const codes: ProblemCode[] = ['limit.exceeded', 'service.unavailable', 'internal', ...op.problems];
  if (op.input.params || op.input.query || op.input.body) codes.push('request.invalid', 'request.malformed');
  if (unsafe) codes.push('request.malformed', 'request.too_large');
  if (unsafe && !acceptsAnyContentType(op)) codes.push('request.unsupported_media_type', 'csrf.failed');
  if (usesSession(op)) {
    codes.push('session.required', 'session.expired', 'token.invalid', 'token.inactive', 'token.expired', 'token.network_refused');
    codes.push('token.in_url', op.token === null ? 'token.not_allowed' : 'token.permission_missing');
  }
  if (usesSession(op) && op.allow !== 'signed-in') codes.push('organization.required', 'permission.denied', 'mfa.enrolment_required');
  if (op.allow === 'portal' || op.allow === 'widget') codes.push('organization.not_found');
  if (op.idempotent) codes.push('idempotency.key_reused', 'idempotency.running');
  if (op.etag && unsafe) codes.push('request.precondition_failed');
  return [...new Set(codes)].sort();
}

const pascal = (text: string) => text.replace(/(?:^|[^a-zA-Z0-9]+)(\w)/g, (_, letter: string) => letter.toUpperCase());

function problemResponse(description: string, codes: readonly ProblemCode[], hasExample: boolean, more: Json = {}): Json {
  const shown = shownCode(codes);
  const schema = { allOf: [ref('schemas', 'Problem'), { properties: { code: { enum: codes } } }] };
  return {
    description,
    ...more,
    content: { 'application/problem+json': { schema, ...(hasExample && { examples: { [shown]: ref('examples', pascal(shown)) } }) } },
  };
}

const invalidField = { path: 'customer_email', code: 'invalid', message: 'Subject and customer email are required' };

/** The response body for a code, as the gateway sends it. */
export const exampleProblem = (code: ProblemCode): Problem =>
  new AppError(code, code === 'request.invalid' ? { fields: [invalidField] } : {}).toProblem('req-01932d5c9a4e');

/** The code of a response that its example shows. */
const shownCode = (codes: readonly ProblemCode[]): ProblemCode => (codes.includes('request.invalid') ? 'request.invalid' : codes[0]!);

interface Failure {
  status: string;
  codes: ProblemCode[];
}
/**
 * The failures of an operation with all their codes. A status for which the operation declares problems has its own entry; `4XX` and
 * `5XX` have the codes that every operation of its kind can return.
 */
function failuresOf(op: Operation): Failure[] {
  const all = problemsOf(op);
  const own = [...new Set(op.problems.map((code) => problems[code].status))].sort();
  const common = all.filter((code) => !op.problems.includes(code));
  return [
    ...own.map((status) => ({ status: String(status), codes: all.filter((code) => problems[code].status === status) })),
    { status: '4XX', codes: common.filter((code) => problems[code].status < 500) },
    { status: '5XX', codes: common.filter((code) => problems[code].status >= 500) },
  ];
}

export const rateHeaders = [
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-RateLimit-Used',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
] as const;
const groups: Record<string, { name: string; description: string }> = {
  '4XX': { name: 'Refused', description: 'The request was refused' },
  '5XX': { name: 'Failed', description: 'The server failed; a later attempt can succeed' },
};

interface ProblemOptions {
  /** The headers of every problem. */
  common: readonly (keyof typeof headers)[];
  hasExamples: boolean;
}

/** The failures of each operation: by status, or by `4XX` and `5XX`. */
export function problemResponses(operations: readonly Operation[], { common, hasExamples }: ProblemOptions) {
  const render = ({ status, codes }: Failure) => {
    const group = groups[status];
    if (group) return problemResponse(group.description, codes, hasExamples, common.length > 0 ? { headers: headerRefs(...common) } : {});
    return problemResponse(codes.map((code) => problems[code].title).join(' · '), codes, hasExamples);
  };
  const nameOf = ({ status, codes }: Failure) => groups[status]?.name ?? pascal(codes[0]!);
  const { components, use } = shareRepeated(
    'responses',
    operations.flatMap(failuresOf).map((failure) => ({ name: nameOf(failure), part: render(failure) })),
  );
  const of = (op: Operation): Json => Object.fromEntries(failuresOf(op).map((failure) => [failure.status, use(render(failure))]));
  const shown = new Set(hasExamples ? operations.flatMap(failuresOf).map(({ codes }) => shownCode(codes)) : []);
  const examples = Object.fromEntries([...shown].sort().map((code) => [pascal(code), { value: exampleProblem(code) }]));
  return { components, examples, of };
}
