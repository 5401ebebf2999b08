import * as z from 'zod';

/** A missing member gets its field's message. A value of another type is a bug of the client and gets a different message. */
export const missing = (message: string) => ({
  error: ({ input }: { input?: unknown }) => (input === undefined || input === null ? message : undefined),
});

const types: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

/** The message for fields without their own, in place of the validator's default. */
export function describeIssue(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'This field is required';
      return `Must be ${types[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `Must be one of: ${issue.values.map(String).join(', ')}`;
    case 'too_big':
      return `Must be at most ${String(issue.maximum)}${unitOf(issue.origin)}`;
    case 'too_small':
      return `Must be at least ${String(issue.minimum)}${unitOf(issue.origin)}`;
    case 'invalid_format':
      return 'Not in the expected format';
    case 'invalid_union':
      return 'Not a valid value';
    default:
      return undefined;
  }
}

const unitOf = (origin: string): string => (origin === 'string' ? ' characters long' : origin === 'array' ? ' items long' : '');

z.config({ customError: describeIssue });
