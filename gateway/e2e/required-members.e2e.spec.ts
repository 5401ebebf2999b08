import { anAddress, type Browser } from './client';
import { startTestApp, type OwnerSession, type TestApp } from './test-app';

const account = 'Email and password are required';
const staff = 'Subject and customer email are required';
const customer = 'Subject and email are required fields.';
const lookup = 'Please enter your email address to view the ticket.';
const place = 'Please select workspace, space, and list';
const chosen = { workspace_id: '1', workspace_name: 'W', space_id: '2', space_name: 'S', list_id: '3', list_name: 'L' };
const credentials = { email: 'new@example.test', password: 'correct horse 7 staple' };

let app: TestApp;
let ada: OwnerSession;
let ticketId: string;
beforeAll(async () => {
  app = await startTestApp({
    RATE_LIMIT_API_PER_MINUTE: '10000',
    RATE_LIMIT_SUBMISSIONS_PER_HOUR: '10000',
    RATE_LIMIT_EMAIL_TESTS_PER_HOUR: '10000',
  });
  ada = await app.signUpOwner();
  ticketId = (await app.ticket(ada.browser, { customer_email: 'c@example.test' })).id;
});

const visitor = () => app.browser();
const portal = () => app.browser(ada.portalHost);
const member = () => ada.browser;
const widget = () => `/widget/v1/tickets?organization=${ada.organization.subdomain}`;

const rules: [string, () => Browser, () => string, Record<string, unknown>, string, string][] = [
  ['sign-up', visitor, () => '/auth/sign-up', credentials, 'email', account],
  ['sign-up', visitor, () => '/auth/sign-up', credentials, 'password', account],
  ['sign-in', visitor, () => '/auth/sign-in', credentials, 'password', account],
  ['an agent’s ticket', member, () => '/tickets', { subject: 'S', customer_email: anAddress() }, 'subject', staff],
  ['an agent’s ticket', member, () => '/tickets', { subject: 'S', customer_email: anAddress() }, 'customer_email', staff],
  ['a submission', portal, () => '/public/tickets', { subject: 'S', customer_email: anAddress() }, 'subject', customer],
  ['a submission', portal, () => '/public/tickets', { subject: 'S', customer_email: anAddress() }, 'customer_email', customer],
  ['a submission by widget', visitor, widget, { subject: 'S', customer_email: anAddress() }, 'subject', customer],
  ['a submission by widget', visitor, widget, { subject: 'S', customer_email: anAddress() }, 'customer_email', customer],
  ['a lookup', portal, () => '/public/tickets/lookup', { email: anAddress() }, 'email', lookup],
  [
    'a survey',
    portal,
    () => `/public/surveys/${ticketId}`,
    { email: 'c@example.test', rating: 5 },
    'rating',
    'Please provide a rating before submitting.',
  ],
  ['an integration', member, () => '/task-tool/integrations', chosen, 'workspace_id', place],
  ['an integration', member, () => '/task-tool/integrations', chosen, 'list_id', place],
  ['an organization', member, () => '/organizations', { name: 'N' }, 'name', 'Organization name must not be blank'],
];

it.each(rules)('%s without a required field returns the message for that field (%#)', async (_what, browser, path, good, name, text) => {
  // Passwords are not trimmed: three spaces are a short password.
  const blank = name === 'password' ? [] : ['   '];
  for (const value of [undefined, null, '', ...blank]) {
    const answer = await browser().post(path(), { ...good, [name]: value });
    expect([value, answer.status, answer.body.detail]).toEqual([value, 422, text]);
    expect(answer.body.errors).toContainEqual(expect.objectContaining({ path: name, message: text }));
  }
});

it('a short password returns the minimum length', async () => {
  const answer = await visitor().post('/auth/sign-up', { ...credentials, password: 'seven77' });
  expect([answer.status, answer.body.detail]).toEqual([422, 'Password must be at least 8 characters long']);
});

it('an invalid subdomain returns the allowed characters', async () => {
  const answer = await member().patch(`/organizations/${ada.organization.id}`, { subdomain: '-a-' });
  expect([answer.status, answer.body.detail]).toEqual([
    422,
    'Subdomain must be 3-30 characters long and contain only lowercase letters, numbers, and hyphens',
  ]);
});
