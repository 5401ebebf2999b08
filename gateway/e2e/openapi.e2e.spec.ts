import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { allOperations, problems } from '@tandem/contracts';
import { documentedOperations, operationsOf } from '../src/openapi/documented-operations';
import { operationIdOf } from '../src/openapi/schemas';
import { strictly } from './strictly';
import { anAddress, type Answer } from './client';
import { password, startTestApp, type OwnerSession, type TestApp } from './test-app';
import { colleague, invite, withAuthenticator } from './team';

type Json = Record<string, unknown>;
interface Ref {
  $ref: string;
}
interface Response {
  content?: Record<string, { schema: Json }>;
}
interface Document {
  openapi: string;
  paths: Record<
    string,
    Record<
      string,
      {
        operationId: string;
        parameters?: ({ name: string; in: string } | Ref)[];
        responses: Record<string, Response | Ref>;
      }
    >
  >;
  webhooks: Json;
  components: { schemas: Json; parameters: Record<string, { name: string; in: string }>; responses: Record<string, Response> };
}
const documentNames = ['public', 'app'] as const;
type DocumentName = (typeof documentNames)[number];

describe('the API document', () => {
  let app: TestApp;
  let ada: OwnerSession;
  let documents: Record<DocumentName, Document>;
  let ajv: Ajv2020;

  beforeAll(async () => {
    app = await startTestApp();
    ada = await app.signUpOwner();
    const read = async (path: string) => (await app.browser().get(path)).body as unknown as Document;
    documents = { public: await read('/openapi.json'), app: await read('/openapi-app.json') };
    ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats(ajv);
    for (const name of documentNames) ajv.addSchema({ $id: name, ...strictly(documents[name]) });
  });

  const operationIds = new Map(allOperations.map((op) => [op.name, operationIdOf(op)]));
  const operationOf = (name: string) => {
    for (const of of documentNames) {
      for (const [path, methods] of Object.entries(documents[of].paths)) {
        for (const [method, object] of Object.entries(methods))
          if (object.operationId === operationIds.get(name)) return { of, path, method, object };
      }
    }
    throw new Error(`${name} is not in the documents`);
  };
  const escaped = (part: string) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
  const pointer = (of: DocumentName, ...parts: string[]) => `${of}#/${parts.map(escaped).join('/')}`;
  /** A response with its address in the document, where several operations may share it. */
  const responseAt = (of: DocumentName, path: string, method: string, status: string) => {
    const response = documents[of].paths[path]![method]!.responses[status]!;
    if (!('$ref' in response)) return { at: ['paths', path, method, 'responses', status], response };
    const name = response.$ref.split('/').at(-1)!;
    return { at: ['components', 'responses', name], response: documents[of].components.responses[name]! };
  };

  /** Checks that the response matches the document for this operation, status and media type. */
  const matches = (name: string, answer: Answer) => {
    const { of, path, method, object } = operationOf(name);
    const media = (answer.headers.get('content-type') ?? '').split(';')[0]!;
    // A response that any call can return has a range instead of a status; its schema lists the codes, so the problem's status is checked
    // too.
    const documented = String(answer.status) in object.responses ? String(answer.status) : `${Math.floor(answer.status / 100)}XX`;
    const { at, response } = responseAt(of, path, method, documented);
    expect([name, documented, Object.keys(response.content ?? {})]).toEqual([name, documented, [media]]);
    if (answer.status >= 400) expect(answer.status).toBe(problems[answer.body.code!].status);
    const validate = ajv.getSchema(pointer(of, ...at, 'content', media, 'schema'))!;
    void validate(answer.body); // Never a promise: no schema here is asynchronous.
    expect([name, validate.errors ?? []]).toEqual([name, []]);
  };

  it.each(documentNames)('%s: is OpenAPI 3.1 and contains each of its operations once, with the parameters of its path', (of) => {
    const { openapi, paths, components } = documents[of];
    expect(openapi).toMatch(/^3\.1\.\d$/);
    const ids = Object.values(paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));
    expect(ids.sort()).toEqual(operationsOf(of).map(operationIdOf).sort());
    for (const [path, methods] of Object.entries(paths)) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      for (const { parameters = [] } of Object.values(methods)) {
        const resolved = parameters.map((one) => ('$ref' in one ? components.parameters[one.$ref.split('/').at(-1)!]! : one));
        expect(resolved.filter((p) => p.in === 'path').map(({ name }) => name)).toEqual(inPath);
      }
    }
  });
  it('leaves no operation out', () => {
    const both = documentNames.flatMap((of) => operationsOf(of).map(({ name }) => name));
    expect(both.sort()).toEqual(documentedOperations.map(({ name }) => name).sort());
  });

  it.each(documentNames)('%s: contains only schemas that compile, without unresolved $defs', (of) => {
    for (const [path, methods] of Object.entries(documents[of].paths)) {
      for (const [method, { responses }] of Object.entries(methods)) {
        for (const status of Object.keys(responses)) {
          const { at, response } = responseAt(of, path, method, status);
          for (const media of Object.keys(response.content ?? {}))
            expect(() => ajv.getSchema(pointer(of, ...at, 'content', media, 'schema'))).not.toThrow();
        }
      }
    }
    expect(JSON.stringify(documents[of])).not.toContain('"$defs"');
  });

  it('describes the actual responses to staff', async () => {
    const customer_email = anAddress();
    const created = await ada.browser.post<{ id: string }>('/tickets', { subject: 'Real', customer_email });
    matches('tickets.create', created);
    const { id } = created.data;
    matches('tickets.addComment', await ada.browser.post(`/tickets/${id}/comments`, { content: 'Hello' }));
    matches('tickets.listComments', await ada.browser.get(`/tickets/${id}/comments`));
    matches(
      'tickets.update',
      await ada.browser.patch(`/tickets/${id}`, { status: 'in_progress', assigned_to: ada.session.profile.user_id }),
    );
    matches('tickets.read', await ada.browser.get(`/tickets/${id}`));
    matches('gateway.readTicketPage', await ada.browser.get(`/tickets/${id}/page`));
    matches('tickets.list', await ada.browser.get('/tickets?limit=5'));
    matches('analytics.ticketStats', await ada.browser.get('/tickets/stats'));
    matches('identity.readSession', await ada.browser.get('/auth/session'));
    matches('identity.readProfile', await ada.browser.get('/me'));
    matches('identity.updateProfile', await ada.browser.patch('/me', { first_name: 'Ada' }));
    matches('identity.readOrganization', await ada.browser.get(`/organizations/${ada.organization.id}`));
    matches('identity.listMembers', await ada.browser.get('/team/members'));
    matches('integrations.listTaskTools', await ada.browser.get('/task-tool/providers'));
    matches('identity.refreshSession', await ada.browser.post('/auth/refresh'));
  });

  it('describes the actual responses about the user’s own account', async () => {
    const email = await app.account();
    const visitor = app.browser();
    const { browser } = await app.signIn(email);
    matches('identity.extendSession', await browser.post('/auth/session/extend'));
    matches('identity.listDevices', await browser.get('/auth/sessions'));
    matches('identity.revokeDevice', await browser.send('DELETE', `/auth/sessions/${crypto.randomUUID()}`));
    matches('identity.revokeOtherDevices', await browser.send('DELETE', '/auth/sessions'));
    matches('identity.changeEmail', await browser.post('/me/email', { email: anAddress(), current_password: password }));
    matches('identity.changePassword', await browser.post('/me/password', { current_password: 'wrong', new_password: password }));
    matches('identity.readMfa', await browser.get('/me/mfa'));
    matches('identity.beginMfa', await browser.post('/me/mfa', { current_password: password }));
    matches('identity.confirmMfa', await browser.post('/me/mfa/confirm', { code: '000000' }));
    const code = await withAuthenticator(browser);
    matches('identity.refreshSession', await browser.post('/auth/refresh', { idle_seconds: 5 }));
    matches('identity.renewRecoveryCodes', await browser.post('/me/mfa/recovery-codes', { current_password: password }));
    const challenge = await visitor.post<{ mfa_token: string }>('/auth/sign-in', { email, password });
    matches('identity.signIn', challenge);
    matches('identity.verifyMfa', await visitor.post('/auth/mfa', { mfa_token: challenge.data.mfa_token, code: '000000' }));
    matches('identity.verifyMfa', await visitor.post('/auth/mfa', { mfa_token: challenge.data.mfa_token, code: code(1) }));
    matches('identity.disableMfa', await visitor.send('DELETE', '/me/mfa', { body: { current_password: password } }));
    matches('identity.requestPasswordReset', await app.browser().post('/auth/password/forgot', { email }));
    matches('identity.resetPassword', await visitor.post('/auth/password/reset', { token: 'A'.repeat(43), password }));
    matches('identity.confirmEmailChange', await visitor.post('/auth/confirm-email-change', { token: 'A'.repeat(43) }));
  });

  it('describes the actual responses to admins about their team', async () => {
    const bob = await app.signUpOwner();
    const { browser, organization } = bob;
    const member = await colleague(app, bob, 'agent');
    const invited = await browser.post<{ id: string }>('/team/invitations', { email: anAddress(), role: 'agent' });
    matches('identity.createInvitation', invited);
    matches('identity.listInvitations', await browser.get('/team/invitations'));
    matches('identity.resendInvitation', await browser.post(`/team/invitations/${invited.data.id}/resend`));
    matches('identity.cancelInvitation', await browser.send('DELETE', `/team/invitations/${invited.data.id}`));
    const email = await app.account();
    const token = await invite(app, bob, 'manager', email);
    matches('identity.readInvitation', await app.browser().get(`/invitations/${token}`));
    matches('identity.acceptInvitation', await (await app.signIn(email)).browser.post(`/invitations/${token}/accept`));
    const declined = await invite(app, bob, 'manager');
    matches('identity.declineInvitation', await app.browser().post(`/invitations/${declined}/decline`));
    matches('identity.updateMember', await browser.patch(`/team/members/${member.user_id}`, { role: 'manager' }));
    matches('identity.updateMember', await browser.patch(`/team/members/${bob.session.profile.user_id}`, { role: 'agent' }));
    matches('identity.resetMemberMfa', await browser.send('DELETE', `/team/members/${member.user_id}/mfa`));
    matches('identity.updateOrganization', await browser.patch(`/organizations/${organization.id}`, { name: 'Renamed' }));
    matches('identity.updateOrganization', await browser.patch(`/organizations/${organization.id}`, { require_mfa_for_admins: true }));
    matches('identity.checkSubdomain', await browser.get('/organizations/subdomain-availability?subdomain=acme'));
    matches('identity.listAuditLog', await browser.get('/audit-log?limit=5'));
    matches('identity.listSecurityEvents', await browser.get('/security-events'));
    matches('identity.readOidcConnection', await browser.get('/oidc-connection'));
    matches('identity.deleteOidcConnection', await browser.send('DELETE', '/oidc-connection'));
  });

  it('describes the actual responses to visitors', async () => {
    const portal = app.browser(ada.portalHost);
    const customer_email = anAddress();
    matches('identity.readPublicOrganization', await portal.get('/public/organization'));
    const submitted = await portal.post<{ id: string }>('/public/tickets', { subject: 'Real', customer_email });
    matches('tickets.submit', submitted);
    const query = `?email=${encodeURIComponent(customer_email)}`;
    matches('tickets.readPublic', await portal.get(`/public/tickets/${submitted.data.id}${query}`));
    matches(
      'tickets.addPublicComment',
      await portal.post(`/public/tickets/${submitted.data.id}/comments`, { email: customer_email, content: 'Hi' }),
    );
    matches('gateway.readChallenge', await portal.get('/public/challenge'));
    matches('gateway.followTicket', await portal.get(`/public/tickets/${crypto.randomUUID()}/events${query}`));
    matches('tickets.lookup', await portal.post('/public/tickets/lookup', { email: customer_email }));
    const email = anAddress();
    matches('identity.signUp', await portal.post('/auth/sign-up', { email, password: 'correct horse 7 staple' }));
    matches('identity.resendConfirmation', await portal.post('/auth/resend-confirmation', { email }));
    const { browser } = await app.signIn(await app.account());
    matches('identity.createOrganization', await browser.post('/organizations', { name: 'Documented' }));
    matches('identity.signOut', await browser.post('/auth/sign-out'));
  });

  it('describes the actual errors', async () => {
    const visitor = app.browser();
    matches('tickets.list', await visitor.get('/tickets'));
    matches('tickets.create', await ada.browser.post('/tickets', { subject: '' }));
    matches('tickets.create', await ada.browser.post('/tickets', {}, { csrf: null }));
    matches('tickets.read', await ada.browser.get(`/tickets/${crypto.randomUUID()}`));
    matches('identity.confirmEmail', await visitor.post('/auth/confirm-email', { token: 'A'.repeat(43) }));
    matches('identity.signIn', await visitor.post('/auth/sign-in', { email: anAddress(), password: 'wrong password' }));
    matches('identity.refreshSession', await visitor.post('/auth/refresh'));
    matches('identity.createOrganization', await ada.browser.post('/organizations', { name: 'Second' }));
    matches('integrations.listTaskTools', await app.as('agent', ada.organization.id).get('/task-tool/providers'));
    matches('integrations.receiveWebhook', await visitor.post(`/hooks/task-tool/clickup/${crypto.randomUUID()}`));
    matches('tickets.submit', await app.browser('nobody.localhost').post('/public/tickets', { subject: 'x', customer_email: anAddress() }));
  });

  it('has an HTML page with one script of our own, and loads nothing from other hosts', async () => {
    const answer = await app.browser().get('//api/docs');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    for (const op of operationsOf('public')) expect(answer.text).toContain(`id="${operationIdOf(op)}"`);
    expect(answer.text.match(/<script[^>]*>/g)).toEqual(['<script src="/api/docs/try.js" defer>']);
    expect(answer.text).not.toMatch(/<[^>]*\s(?:style|on\w+)=/);
    expect(answer.text).not.toMatch(/(?:src|href|action)="(?:https?:)?\/\//);
    // Each link within the page has a target.
    const ids = new Set([...answer.text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    expect([...answer.text.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id).filter((id) => !ids.has(id))).toEqual([]);
    const problem = await app.browser().get('/tickets');
    const [address, code] = problem.body.type!.split('#') as [string, string];
    expect((await app.browser().get(`/${address}`)).text).toContain(`id="${code}"`);
    expect((await app.browser().get('//api/docs/style.css')).headers.get('content-type')).toContain('text/css');
    const script = await app.browser().get('//api/docs/try.js');
    expect(script.headers.get('content-type')).toContain('text/javascript');
    // The token stays in memory, and responses of the API are never HTML.
    expect(script.text).not.toMatch(/localStorage|sessionStorage|cookie\b|history\.|location|innerHTML|insertAdjacentHTML/);
  });
});
