import { AppError, type FieldProblem, type InputOf, type Operation } from '@tandem/contracts';
import { fieldProblems } from '@tandem/platform';

interface Incoming {
  params: unknown;
  query: unknown;
  body: unknown;
}

/** Parses every part that the operation declares, and reports all their problems together as `request.invalid`. */
export function parseInput(op: Operation, request: Incoming, ifMatch: string | undefined): InputOf<Operation> {
  const input: Record<string, unknown> = {};
  const fields: FieldProblem[] = [];
  for (const part of ['params', 'query', 'body'] as const) {
    const schema = op.input[part];
    if (!schema) continue;
    const parsed = schema.safeParse(request[part]);
    if (parsed.success) input[part] = parsed.data;
    else fields.push(...fieldProblems(parsed.error));
  }
  if (fields.length > 0) throw new AppError('request.invalid', { fields });
  const tag = entityTag(ifMatch);
  if (tag !== undefined) input['if_match'] = tag;
  return input as unknown as InputOf<Operation>;
}

/** The version in `If-Match`; undefined for `*`, which matches any version. */
function entityTag(header: string | undefined): string | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  const tag = /^\s*"([^"]*)"\s*$/.exec(header)?.[1];
  // A weak tag never matches here (RFC 9110, 13.1.1), and with several tags it is unknown which version the client has.
  if (tag === undefined)
    throw new AppError('request.invalid', {
      fields: [{ path: 'If-Match', code: 'invalid', message: 'Send one strong entity tag, in quotes' }],
    });
  return tag;
}
