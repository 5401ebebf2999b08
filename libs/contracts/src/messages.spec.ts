import * as z from 'zod';
import {
  addComment,
  addPublicComment,
  createIntegration,
  createInvitation,
  createOrganization,
  createTicket,
  lookupTickets,
  readPublicTicket,
  resetPassword,
  signIn,
  signUp,
  submitSurvey,
  submitTicket,
  submitWidgetTicket,
  updateOrganization,
  checkSubdomain,
  type Operation,
} from './index';
import { allOperations } from './catalogue';

const account = 'Email and password are required';
const staff = 'Subject and customer email are required';
const customer = 'Subject and email are required fields.';
const lookup = 'Please enter your email address to view the ticket.';
const place = 'Please select workspace, space, and list';
const subdomain = 'Subdomain must be 3-30 characters long and contain only lowercase letters, numbers, and hyphens';
const rating = 'Please provide a rating before submitting.';
const short = 'Password must be at least 8 characters long';
const [absent, empty, blank] = [[undefined, null], [''], ['   ', '\t\n']];
const never = [...absent, ...empty, ...blank];

/** Member, its message, and the values that cause it. */
const rules: [Operation, 'body' | 'query', string, string, unknown[]][] = [
  [signUp, 'body', 'email', account, never],
  [signUp, 'body', 'password', account, [...absent, ...empty]],
  [signUp, 'body', 'password', short, ['   ', 'seven77']],
  [resetPassword, 'body', 'password', short, ['seven77']],
  [signIn, 'body', 'email', account, never],
  [signIn, 'body', 'password', account, [...absent, ...empty]],
  [createOrganization, 'body', 'name', 'Organization name must not be blank', never],
  [createIntegration, 'body', 'workspace_id', place, never],
  [createIntegration, 'body', 'space_id', place, [undefined, ...empty, ...blank]],
  [createIntegration, 'body', 'list_id', place, never],
  [createTicket, 'body', 'subject', staff, never],
  [createTicket, 'body', 'customer_email', staff, never],
  [submitTicket, 'body', 'subject', customer, never],
  [submitTicket, 'body', 'customer_email', customer, never],
  [submitWidgetTicket, 'body', 'subject', customer, never],
  [submitWidgetTicket, 'body', 'customer_email', customer, [null, ...empty, ...blank]],
  [addComment, 'body', 'content', 'Write something first', never],
  [addPublicComment, 'body', 'content', 'Write something first', never],
  [addPublicComment, 'body', 'email', lookup, never],
  [readPublicTicket, 'query', 'email', lookup, never],
  [lookupTickets, 'body', 'email', lookup, never],
  [updateOrganization, 'body', 'subdomain', subdomain, ['ab', '-abc', 'a_b', 'x'.repeat(31)]],
  [checkSubdomain, 'query', 'subdomain', subdomain, never],
  [submitSurvey, 'body', 'rating', rating, [...never, 0, 6, 2.5]],
  [submitSurvey, 'body', 'email', lookup, never],
  [createInvitation, 'body', 'email', 'Enter the email address of the person to invite', never],
];

const sentenceFor = (op: Operation, part: 'body' | 'query', member: string, value: unknown): string | undefined => {
  const parsed = op.input[part]!.safeParse(value === undefined ? {} : { [member]: value });
  return parsed.error?.issues.find(({ path }) => path[0] === member)?.message;
};

describe('a field that is missing, empty or blank', () => {
  it.each(rules)('%# is requested with the message for that field', (op, part, member, sentence, values) => {
    for (const value of values) expect([value, sentenceFor(op, part, member, value)]).toEqual([value, sentence]);
  });

  it('is never described with a message of the validator, in any operation', () => {
    const technical = /expected|received|undefined|NaN|Too (big|small)|Invalid (input|option|string|value)/;
    const found: string[] = [];
    for (const op of allOperations) {
      const { body } = op.input;
      if (!body) continue;
      for (const value of [{}, null, [], 'text', 7]) {
        for (const issue of body.safeParse(value).error?.issues ?? [])
          if (technical.test(issue.message)) found.push(`${op.name} ${issue.path.join('.')}: ${issue.message}`);
      }
    }
    expect(found).toEqual([]);
  });

  it('has a different message than a malformed one', () => {
    expect(sentenceFor(submitTicket, 'body', 'customer_email', 'ada')).toBe('Enter a valid email address');
    expect(sentenceFor(createTicket, 'body', 'subject', 7)).toBe('Must be text');
    expect(z.strictObject({ limit: z.number().max(5) }).safeParse({ limit: 7 }).error?.issues[0]?.message).toBe('Must be at most 5');
  });
});
