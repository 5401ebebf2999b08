import { asksForLocalhost, comesFromOwnPage, type Outcome, type SandboxAnswer, type SandboxRequest } from '../http';
import { htmlAnswer } from './board-page';
import type { Components } from './route';
import type { User } from './state';

/**
 * The page on which a user lets an application access workspaces: `GET /api?client_id=…&redirect_uri=…&state=…`. There are no scopes; the
 * user selects workspaces. The form is posted back here and redirects the browser with a code, or, if canceled, with an error (how ClickUp
 * reports a cancellation is not documented).
 */
export function consentPage(components: Components, request: SandboxRequest): Outcome {
  if (!asksForLocalhost(request)) return { status: 421, body: 'Use the host name localhost.' };
  const given = request.method === 'POST' ? new URLSearchParams(request.body.toString('utf8')) : request.url.searchParams;
  const redirect_uri = given.get('redirect_uri') ?? '';
  const refusal = components.access.refusal(given.get('client_id'), redirect_uri);
  if (refusal) return page(refusal.status, 'This does not work', `<p>${escaped(refusal.message)} <small>(${refusal.ecode})</small></p>`);
  const user = [...components.world.users.values()].find(({ email }) => email === (given.get('email') ?? 'admin@demo.test'));
  if (!user) return page(400, 'This does not work', '<p>No user has this address.</p>');
  if (request.method === 'GET') return question(components, user, given);
  if (request.method !== 'POST') return { status: 405, body: 'Method not allowed' };
  if (request.headers.origin === undefined || !comesFromOwnPage(request))
    return { status: 403, body: 'Only this page may send this request.' };
  return decision(components, user, given);
}

function decision(components: Components, user: User, given: URLSearchParams): SandboxAnswer {
  const target = new URL(given.get('redirect_uri') ?? '');
  const chosen = given.getAll('team').filter((id) => components.world.teams.get(id)?.member_ids.includes(user.id));
  if (given.get('decision') === 'allow' && chosen.length === 0) return question(components, user, given, 'Choose at least one workspace.');
  if (given.get('decision') === 'allow') target.searchParams.set('code', components.access.grant(user, chosen));
  else target.searchParams.set('error', 'access_denied');
  const state = given.get('state');
  if (state !== null) target.searchParams.set('state', state);
  return { status: 303, headers: { location: target.href } };
}

function question(components: Components, user: User, given: URLSearchParams, problem = ''): SandboxAnswer {
  const hidden = ['client_id', 'redirect_uri', 'state']
    .filter((name) => given.has(name))
    .map((name) => `<input type="hidden" name="${name}" value="${escaped(given.get(name) ?? '')}">`);
  const teams = [...components.world.teams.values()]
    .filter(({ member_ids }) => member_ids.includes(user.id))
    .map(
      ({ id, name }, at) =>
        `<label class="choice"><input type="checkbox" name="team" value="${id}"${at === 0 ? ' checked' : ''}> ${escaped(name)}</label>`,
    );
  const host = new URL(given.get('redirect_uri') ?? '').host;
  return page(
    problem ? 400 : 200,
    'Tandem wants to connect',
    `<p>It will be able to read and change everything in the workspaces that you choose here, as you: <strong>${escaped(user.username)}</strong> (${escaped(user.email)}).</p>
<form method="post" action="/api">${hidden.join('')}
<fieldset><legend>Workspaces</legend>${teams.join('')}</fieldset>
${problem ? `<p class="problem" role="alert">${problem}</p>` : ''}
<p class="muted">Afterwards you are sent back to ${escaped(host)}.</p>
<p class="buttons"><button name="decision" value="allow" class="primary">Allow</button><button name="decision" value="cancel">Cancel</button></p>
</form>
<p class="muted">This is a local replacement for ClickUp: nothing leaves this machine.</p>`,
  );
}

const page = (status: number, title: string, content: string): SandboxAnswer =>
  htmlAnswer(
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Task tool</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/sandbox/page.css"></head>
<body class="consent"><main><h1>${title}</h1>${content}</main></body></html>`,
    status,
  );

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;');
