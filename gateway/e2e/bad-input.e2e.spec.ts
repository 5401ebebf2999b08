import { listChanges, maxChanges, problems, type Operation } from '@tandem/contracts';
import { documentedOperations } from '../src/openapi/documented-operations';
import { apiClient, issueToken } from './api-client';
import type { Answer, Browser, Call } from './client';
import { startTestApp, type OwnerSession, type TestApp } from './test-app';

const unknownId = '01980000-0000-7000-8000-000000000001';
const both = { in_app: true, mail: true };
const rule = {
  name: 'R',
  triggers: ['ticket_created'],
  time: null,
  condition: { field: 'subject', op: 'contains', value: 'a' },
  actions: [{ type: 'set_priority', priority: 'low' }],
  stops: false,
  runs: 'every_time',
  is_active: true,
};
const policy = {
  name: 'P',
  priority_level: 'low',
  response_time_hours: 24,
  resolution_time_hours: 72,
  is_active: true,
  escalation_enabled: true,
  escalation_time_hours: 48,
};
const integration = {
  field_mappings: { title: { direction: 'both' }, customer_email: { direction: 'to_task', field_id: null } },
  status_mappings: { open: 'To Do', in_progress: 'Doing', waiting_for_customer: null, resolved: 'Done', closed: 'Done' },
  rules: { create: 'matching', categories: ['C'], tags: ['a'], priorities: ['low'] },
  comment_sync: 'both',
  conflict_rule: 'latest',
  on_task_finished: 'tell_customer',
  finished_reply: null,
};

/** One valid body per operation with a body; the invalid ones are derived from it, one mistake at a time. */
const goodBodies: Record<string, Record<string, unknown>> = {
  'tickets.previewErasure': { email: 'new@example.test' },
  'tickets.createErasure': { email: 'new@example.test', delay_hours: 24 },
  'tickets.exportCustomer': { email: 'new@example.test' },
  'tickets.saveRetention': { is_active: false, action: 'anonymize', months: 12, kept_categories: ['C'] },
  'tickets.previewRetention': { is_active: false, action: 'anonymize', months: 12, kept_categories: ['C'] },
  'identity.signUp': { email: 'new@example.test', password: 'correct horse 7 staple', first_name: 'A', last_name: 'B' },
  'identity.confirmEmail': { token: 'A'.repeat(43) },
  'identity.resendConfirmation': { email: 'new@example.test' },
  'identity.signIn': { email: 'new@example.test', password: 'wrong password' },
  'identity.verifyMfa': { mfa_token: 'A'.repeat(43), code: '123456' },
  'identity.beginOidc': { subdomain: 'unknown-subdomain', redirect: '/dashboard' },
  'identity.requestPasswordReset': { email: 'new@example.test' },
  'identity.resetPassword': { token: 'A'.repeat(43), password: 'correct horse 7 staple' },
  // None of these has the right password, so a mistake that is accepted changes nothing.
  'identity.changePassword': { current_password: 'wrong password', new_password: 'correct horse 8 staple' },
  'identity.changeEmail': { email: 'new@example.test', current_password: 'wrong password' },
  'identity.confirmEmailChange': { token: 'A'.repeat(43) },
  'identity.beginMfa': { current_password: 'wrong password' },
  'identity.confirmMfa': { code: '123456' },
  'identity.disableMfa': { current_password: 'wrong password' },
  'identity.renewRecoveryCodes': { current_password: 'wrong password' },
  'identity.updateOrganization': {
    name: 'Ada',
    require_mfa_for_admins: false,
    time_zone: 'Europe/Berlin',
    auto_assign: false,
    default_priority: 'low',
    customer_follow_up: 'reopen',
    instant_lookup: true,
    languages: { default: 'de', offered: ['en', 'de'] },
    business_hours: [{ day: 'mon', from: '09:00', to: '17:00' }],
    holidays: [{ date: '2026-12-25', name: 'Christmas' }],
  },
  'identity.requestOrganizationDeletion': { name: 'Ada', current_password: 'wrong password' },
  'identity.updateMember': { role: 'admin', is_active: true },
  'identity.createApiToken': { name: 'Importer', permissions: ['tickets:read'], networks: ['203.0.113.0/24'], expires_in_days: 30 },
  'identity.updateApiToken': { name: 'Importer', networks: ['203.0.113.0/24'], is_active: true },
  'identity.rotateApiToken': { overlap_hours: 1 },
  'identity.createInvitation': { email: 'new@example.test', role: 'agent' },
  'identity.saveOidcConnection': {
    issuer: 'http://127.0.0.1:1',
    client_id: 'tandem',
    client_secret: 'secret',
    is_active: true,
    auto_join: false,
  },
  'identity.updateProfile': { first_name: 'A', last_name: 'B' },
  'identity.createOrganization': { name: 'Another' },
  'identity.saveBranding': {
    primary_color: '#112233',
    secondary_color: '#445566',
    logo_url: null,
    favicon_url: null,
    hide_powered_by: true,
    custom_css: '.a{color:red}',
    custom_domain: 'a.example',
    email_template_header: '<p>A</p>',
    email_template_footer: '<p>B</p>',
  },
  'identity.addBrandingAsset': { content: 'R0lGODlhAQABAAAAADs=' },
  'identity.saveWording': { text: 'T' },
  'identity.previewWording': { text: 'T' },
  'identity.saveWidgetSettings': { allowed_sites: ['https://a.example'], identity_required: false },
  'analytics.createReport': { frequency: 'weekly', recipient_ids: [unknownId] },
  'analytics.updateReport': { frequency: 'weekly', recipient_ids: [unknownId] },
  'notifications.markRead': { ids: [unknownId], ticket_id: unknownId },
  'notifications.createWebhookEndpoint': {
    url: 'https://hooks.example/tandem',
    description: 'D',
    events: ['ticket.created'],
    condition: { all: [{ field: 'priority', op: 'is_any_of', value: ['urgent'] }] },
    payload: 'thin',
    include_internal_notes: false,
  },
  'notifications.updateWebhookEndpoint': { url: 'https://hooks.example/tandem', state: 'paused' },
  'notifications.rotateWebhookSecret': { overlap_hours: 1 },
  'notifications.testWebhookEndpoint': { event: 'ticket.created' },
  'notifications.redeliverWebhooks': { ids: [unknownId] },
  'notifications.replayWebhooks': { since: '2026-11-01T00:00:00.000Z', until: '2026-11-02T00:00:00.000Z', which: 'missed', dry_run: true },
  'notifications.updateWebhookReplay': { state: 'paused' },
  'notifications.saveSenderDomain': { domain: 'mail.example', local_part: 'support' },
  'notifications.saveMailServer': { host: '127.0.0.1', port: 25, security: 'starttls', username: '', from_address: 's@mail.example' },
  'notifications.savePreferences': { assigned: both, mention: both, customer_replied: both, sla: both },
  'tickets.create': { subject: 'S', customer_email: 'c@example.test', description: 'D', priority: 'low', tags: ['a'] },
  'tickets.update': { subject: 'S', status: 'open', tags: ['a'], language: 'de', cc: ['a@example.com'] },
  'tickets.addComment': { content: 'C', is_internal: false, mentions: [], attachment_ids: [], last_seen_comment_id: null, changes: {} },
  'tickets.announceAttachment': { file_name: 'a.png', size: 5 },
  'tickets.bulk': { ids: [unknownId], changes: { priority: 'low', add_tags: ['a'], remove_tags: ['b'] } },
  'tickets.merge': { into_id: unknownId },
  'tickets.saveDraft': { content: 'C', is_internal: false },
  'tickets.snooze': { until: null },
  'tickets.markRead': { until: '2026-01-01T00:00:00.000Z' },
  'tickets.saveListPreferences': { density: 'compact', group_by: 'status', columns: ['due'] },
  'tickets.draftReply': { content: 'C' },
  'tickets.createMacro': { name: 'M', content: 'C', is_internal: false, changes: { status: 'open' }, is_shared: true },
  'tickets.updateMacro': { name: 'M', content: 'C', is_internal: false, changes: { status: 'open' }, is_shared: true },
  'tickets.createView': { name: 'V', filter: { status: ['open'], sort: 'due' }, is_shared: true },
  'tickets.updateView': { name: 'V', filter: { status: ['open'], sort: 'due' }, is_shared: true },
  'tickets.createCustomField': { key: 'product', type: 'choice', label: 'P', options: [{ value: 'pro', label: 'Pro' }], categories: ['A'] },
  'tickets.updateCustomField': { label: 'P', options: [{ value: 'pro', label: 'Pro' }], translations: { de: { label: 'P' } } },
  'tickets.orderCustomFields': { ids: [unknownId] },
  'tickets.createArticle': { title: 'T', summary: 'S', body: 'B', language: 'de', category_id: null, visibility: 'internal' },
  'tickets.updateArticle': { title: 'T', summary: 'S', body: 'B', language: 'de', visibility: 'internal' },
  'tickets.publishArticle': { version: 1 },
  'tickets.addArticlePicture': { attachment_id: unknownId },
  'tickets.createArticleCategory': { name: 'N', description: 'D' },
  'tickets.updateArticleCategory': { name: 'N', description: 'D' },
  'tickets.orderArticleCategories': { ids: [unknownId] },
  'tickets.rateArticle': { helpful: true, remark: 'R', reader: 'a'.repeat(16) },
  'tickets.recordHelpUse': { type: 'view', number: 1 },
  'tickets.recordHelpUseInWidget': { type: 'view', number: 1 },
  'tickets.createRule': rule,
  'tickets.updateRule': rule,
  'tickets.orderRules': { ids: [unknownId] },
  'tickets.testRule': { rule },
  'tickets.createExport': { has_files: true },
  'tickets.createSlaPolicy': policy,
  'tickets.updateSlaPolicy': policy,
  'tickets.createImport': { source: 'zammad', address: 'https://help.example.test', token: 'T' },
  'tickets.updateImport': {
    options: { keep_numbers: false, settings: false, files: false },
    mappings: [{ file_id: unknownId, kind: 'tickets', mapping: { subject: 'S' } }],
    teammates: [{ key: 'K', user_id: null }],
    statuses: [{ value: 'V', to: 'open' }],
    priorities: [{ value: 'V', to: 'low' }],
  },
  'tickets.announceImportFile': { file_name: 'a.zip', size: 5, kind: 'tickets' },
  'tickets.savePrefix': { prefix: 'ABC' },
  'tickets.saveMailbox': { host: 'mail.example', port: 993, username: 'U', password: 'P', folder: 'INBOX', is_active: false },
  'gateway.markPresence': { state: 'viewing', visit: 'a' },
  'tickets.submit': { subject: 'S', customer_email: 'c@example.test', description: 'D', attachment_ids: [], language: 'de' },
  'tickets.addPublicComment': { email: 'c@example.test', content: 'C', attachment_ids: [] },
  'tickets.lookup': { email: 'c@example.test' },
  'tickets.announcePublicAttachment': { file_name: 'a.png', size: 5 },
  'tickets.linkPublicAttachment': { email: 'c@example.test' },
  'tickets.submitSurvey': { email: 'c@example.test', rating: 5, feedback: 'F' },
  'tickets.submitFromWidget': { subject: 'S', customer_email: 'c@example.test', description: 'D', identity_token: 'x' },
  'tickets.addCommentFromWidget': { email: 'c@example.test', content: 'C' },
  'integrations.connect': { provider: 'clickup', token: 'pk_1_NOBODY' },
  'integrations.authorize': { provider: 'clickup' },
  'integrations.completeAuthorization': { provider: 'clickup', code: 'unknown', state: 'unknown' },
  'integrations.create': {
    ...integration,
    workspace_id: '1',
    workspace_name: 'W',
    space_id: '2',
    space_name: 'S',
    list_id: '3',
    list_name: 'L',
  },
  'integrations.update': { ...integration, is_active: false },
  'integrations.order': { ids: [unknownId] },
  'integrations.linkTicketTask': { integration_id: unknownId, task: '86abc' },
};
const long = 'x'.repeat(150_000);
const wrongValues: unknown[] = [null, 7, true, {}, [], [[]], 'a\u0000b', '\ud800', long, '', { toString: 1 }, ['x', null]];

/** Each entry is one kind of mistake. */
function mistakes(good: Record<string, unknown>): [string, Call][] {
  const bodies: [string, unknown][] = [
    ['an unknown member', { ...good, organization_id: 'x', admin: true }],
    ['nothing at all', {}],
    ...['null', '7', '"text"', '[]'].map((raw): [string, unknown] => [`${raw} instead of an object`, JSON.parse(raw)]),
    ...Object.keys(good).flatMap((name) =>
      wrongValues.map((value): [string, unknown] => [`${name} = ${JSON.stringify(value).slice(0, 30)}`, { ...good, [name]: value }]),
    ),
  ];
  const text = JSON.stringify(good);
  const json = { 'content-type': 'application/json' };
  return [
    ...bodies.map(([name, body]): [string, Call] => [name, { body }]),
    ['__proto__', { raw: `{"__proto__":{"role":"admin"},${text.slice(1)}`, headers: json }],
    ['constructor', { raw: `{"constructor":{"prototype":{"x":1}},${text.slice(1)}`, headers: json }],
    ['broken JSON', { raw: text.slice(0, -1), headers: json }],
    ['no body', { raw: '', headers: json }],
    ['bytes that are not UTF-8', { raw: Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), headers: json }],
    ['deeply nested JSON', { raw: `${'['.repeat(50_000)}${']'.repeat(50_000)}`, headers: json }],
    ['text/plain', { raw: text, headers: { 'content-type': 'text/plain' } }],
    ['a form', { raw: 'subject=x', headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
    ['more than 1 MiB', { raw: JSON.stringify({ ...good, padding: 'x'.repeat(1_100_000) }), headers: json }],
  ];
}

describe('invalid input', () => {
  let app: TestApp;
  let ada: OwnerSession;
  /** A program with a token of the organization. */
  let program: Browser;
  let ticketId: string;

  beforeAll(async () => {
    app = await startTestApp({
      RATE_LIMIT_API_PER_MINUTE: '100000',
      RATE_LIMIT_SUBMISSIONS_PER_HOUR: '100000',
      RATE_LIMIT_EMAIL_TESTS_PER_HOUR: '100000',
      RATE_LIMIT_LOGIN_PER_ADDRESS: '100000',
    });
    ada = await app.signUpOwner();
    ticketId = (await app.ticket(ada.browser)).id;
    program = apiClient(app.gateway, (await issueToken(ada)).value);
  });

  function callerOf({ allow }: Operation): Browser {
    if (allow === 'token') return program;
    if (allow === 'portal') return app.browser(ada.portalHost);
    return ['public', 'widget'].includes(allow) ? app.browser() : ada.browser;
  }
  const pathOf = (op: Operation, id = op.owner === 'identity' ? ada.organization.id : ticketId, userId = ada.session.profile.user_id) =>
    op.path
      .replace(/:(id|ticketId)\b/, id)
      .replace(':userId', userId)
      .replace(':attachmentId', unknownId)
      .replace(':file_id', unknownId)
      .replace(':number', '1');
  /** Widget operations need a key in the query. */
  const keyOf = (op: Operation) => (op.allow === 'widget' ? `organization=${ada.organization.subdomain}` : '');
  const isProblem = (answer: Answer) => {
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
    expect(answer.body).toMatchObject({
      success: false,
      status: answer.status,
      code: expect.any(String) as string,
      request_id: expect.any(String) as string,
    });
    expect(Object.keys(problems)).toContain(answer.body.code);
    expect(answer.text).not.toMatch(/node_modules|at \w+ \(|\bselect .* from |insert into /i);
  };

  const withBody = documentedOperations.filter(({ name }) => name in goodBodies);
  it('has an example body for every operation that takes one', () => {
    const named = documentedOperations
      .filter(({ input, name, allow }) => input.body && name !== 'identity.refreshSession' && allow !== 'gateway')
      .map(({ name }) => name);
    expect(Object.keys(goodBodies).sort()).toEqual(named.sort());
  });

  it.each(withBody.map((op) => [op.name, op] as const))(
    '%s: every invalid body returns a problem with a known code, never a 500, and its kind of mistake decides the code',
    async (_name, op) => {
      const codes = new Map<string, string>();
      for (const [what, call] of mistakes(goodBodies[op.name]!)) {
        const answer = await callerOf(op).send(op.method, `${pathOf(op)}?${keyOf(op)}`, call);
        codes.set(what, `${answer.status} ${answer.body.code ?? ''}`);
        const outcome = `${op.name}, ${what}: ${codes.get(what)}`;
        if (answer.status < 400) continue; // Some members may be null, empty or left out: such a request is valid.
        expect(`${outcome} ${answer.status < 500}`).toBe(`${outcome} true`);
        isProblem(answer);
      }
      expect(codes.get('an unknown member')).toBe('422 request.invalid');
      expect(codes.get('__proto__')).toMatch(/^(400 request.malformed|422 request.invalid)$/);
      expect(codes.get('broken JSON')).toBe('400 request.malformed');
      expect(codes.get('text/plain')).toBe('415 request.unsupported_media_type');
      expect(codes.get('a form')).toBe('415 request.unsupported_media_type');
      expect(codes.get('more than 1 MiB')).toBe('413 request.too_large');
    },
  );

  const withId = documentedOperations.filter(({ path, handwritten }) => /:(id|userId|ticketId)\b/.test(path) && !handwritten);
  it.each(withId.map((op) => [op.name, op] as const))('%s: an invalid id returns a problem', async (_name, op) => {
    for (const id of [
      '1',
      'x',
      '%00',
      '..%2f..%2fetc',
      "'%20or%201=1",
      '%F0%9F%98%80',
      'a'.repeat(400),
      '__proto__',
      ada.organization.id.toUpperCase() + 'f',
    ]) {
      const body = goodBodies[op.name];
      const answer = await callerOf(op).send(op.method, `${pathOf(op, id, id)}?${keyOf(op)}`, body === undefined ? {} : { body });
      expect([id, answer.status < 500 && answer.status >= 400]).toEqual([id, true]);
      isProblem(answer);
    }
  });

  const lists = documentedOperations.filter(({ input, allow }) => input.query && allow !== 'gateway');
  it.each(lists.map((op) => [op.name, op] as const))('%s: an invalid query returns a problem', async (_name, op) => {
    for (const query of [
      'limit=0',
      `limit=${op.name === listChanges.name ? maxChanges + 1 : 101}`,
      'limit=x',
      'page=-1',
      'page=1e9',
      'cursor=%00',
      'cursor=bm9uc2Vuc2U',
      'nonsense=1',
      '__proto__[x]=1',
      'email[]=a',
      'status=nope',
      'search=%00',
      'limit=1&limit=2',
    ]) {
      const answer = await callerOf(op).get(`${pathOf(op)}?${keyOf(op)}&${query}`);
      expect([query, answer.status >= 400 && answer.status < 500]).toEqual([query, true]);
      isProblem(answer);
    }
  });

  it('returns problems for unknown paths and methods', async () => {
    const get = (path: string, method = 'GET') => ada.browser.send(method, path, method === 'GET' ? {} : { body: {} });
    expect([(await get('/nothing')).body.code, (await get('/tickets/')).body.code, (await get('//api/v2/tickets')).body.code]).toEqual(
      Array(3).fill('route.not_found'),
    );
    const wrong = await get('/tickets', 'DELETE');
    expect([wrong.status, wrong.body.code, wrong.headers.get('allow')]).toEqual([405, 'method.not_allowed', 'GET, HEAD, POST']);
    expect((await get('/internal/organization-of-host?host=x')).status).toBe(404);
    expect((await get('/%')).status).toBe(400);
  });

  it('stores none of the invalid input', async () => {
    const { data } = await ada.browser.get<{ id: string }[]>('/tickets?search=xxxx');
    expect(data).toEqual([]);
  });
});
