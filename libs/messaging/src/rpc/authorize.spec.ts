import { roles, type Allow, type Context, type Role, type TokenPermission } from '@tandem/contracts';
import { assertAllowed } from './authorize';

const organization_id = '0192f0c1-0000-7000-8000-000000000001';
const user_id = '0192f0c1-0000-7000-8000-00000000000a';
const of = (actor: Context['actor'], organization: string | null = organization_id): Context => ({
  organization_id: organization,
  actor,
  request_id: 'test',
});
const user = (role: Role | null, organization: string | null = organization_id) =>
  of({ type: 'user', user_id, role, session_id: user_id }, organization);
const token = (...permissions: TokenPermission[]) => of({ type: 'token', token_id: user_id, name: 'Importer', permissions, via: 'api' });
const customer = (organization: string | null) => of({ type: 'customer' }, organization);

/** The code of the rejection; undefined if the call is allowed. */
function codeOf(allow: Allow, ctx: Context, forTokens: TokenPermission | null = null): string | undefined {
  try {
    assertAllowed({ allow, token: forTokens }, ctx);
    return undefined;
  } catch (error) {
    return (error as { code: string }).code;
  }
}

describe('an operation for operators', () => {
  it('does not exist for callers without an account', () => {
    const callers = [of({ type: 'customer' }), token(), of({ type: 'system' })];
    expect(callers.map((ctx) => codeOf('operator', ctx))).toEqual(Array(3).fill('route.not_found'));
    expect(codeOf('operator', user(null, null))).toBeUndefined();
  });
});

describe('an operation with a permission', () => {
  it('is allowed to the roles that have it', () => {
    expect(roles.map((role) => [role, codeOf('audit.read', user(role))])).toEqual(
      roles.map((role) => [role, role === 'admin' ? undefined : 'permission.denied']),
    );
    expect(codeOf('ticket.read', user('agent'))).toBeUndefined();
  });

  it('is denied to a user without a role, as before a required second factor is set up', () => {
    expect(codeOf('ticket.read', user(null))).toBe('permission.denied');
  });

  it('needs an organization, which is checked before the role', () => {
    expect(codeOf('ticket.read', user('admin', null))).toBe('organization.required');
  });

  it('is allowed to a token that has the operation’s token permission', () => {
    expect(codeOf('ticket.read', token('tickets:read'), 'tickets:read')).toBeUndefined();
    expect(codeOf('ticket.write', token('tickets:read'), 'tickets:write')).toBe('token.permission_missing');
    expect(codeOf('ticket.read', token(), 'tickets:read')).toBe('token.permission_missing');
  });

  it('is refused to every token if the operation has no token permission', () => {
    expect(codeOf('api_token.write', token('tickets:read', 'tickets:write', 'organization:write'))).toBe('token.not_allowed');
  });

  it('requires an organization, including the organization of a token', () => {
    const ctx = { ...token('tickets:read'), organization_id: null };
    expect(codeOf('ticket.read', ctx, 'tickets:read')).toBe('organization.required');
  });

  it('asks customers to sign in, and denies our own processes and task tools', () => {
    expect(codeOf('ticket.read', customer(organization_id))).toBe('session.required');
    expect(codeOf('ticket.read', of({ type: 'system' }))).toBe('permission.denied');
    expect(codeOf('ticket.read', of({ type: 'task-tool' }))).toBe('permission.denied');
  });
});

describe('an operation for tokens', () => {
  it('is allowed to a token with its permission, and to no other caller', () => {
    expect(codeOf('token', token('tickets:write'), 'tickets:write')).toBeUndefined();
    expect(codeOf('token', token('tickets:read'), 'tickets:write')).toBe('token.permission_missing');
    const others = [user('admin'), user(null, null), customer(organization_id), of({ type: 'system' }), of({ type: 'task-tool' })];
    for (const ctx of others) expect(codeOf('token', ctx, 'tickets:write')).toBe('permission.denied');
  });
});

describe('an operation for signed-in users', () => {
  it('is allowed to every user, with or without an organization', () => {
    expect([codeOf('signed-in', user('agent')), codeOf('signed-in', user(null, null))]).toEqual([undefined, undefined]);
  });

  it('is refused to customers', () => expect(codeOf('signed-in', customer(organization_id))).toBe('session.required'));

  it('is refused to tokens unless it has a token permission', () => {
    expect(codeOf('signed-in', token('organization:read'))).toBe('token.not_allowed');
    expect(codeOf('signed-in', token('organization:read'), 'organization:read')).toBeUndefined();
  });
});

describe.each(['portal', 'widget'] as const)('an operation of the %s', (allow) => {
  it('is allowed to every caller of an organization', () => {
    expect([customer(organization_id), user('agent'), token()].map((ctx) => codeOf(allow, ctx))).toEqual([undefined, undefined, undefined]);
  });

  it('is not found without an organization', () => {
    expect(codeOf(allow, customer(null))).toBe('organization.not_found');
  });
});

it.each(['public', 'gateway'] as const)('an operation with allow "%s" accepts every caller', (allow) => {
  expect([customer(null), user('agent'), token()].map((ctx) => codeOf(allow, ctx))).toEqual([undefined, undefined, undefined]);
});
