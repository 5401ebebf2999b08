import { createHash, randomBytes } from 'node:crypto';
import { beginOidc, createOrganization, finishOidc, saveOidcConnection, type Context, type Organization } from '@tandem/contracts';
import { asPerson, anonymous, gateway, client, type Answer, type IdentityUnderTest, type Person } from './identity';
import { OpenIdProviderForTest } from './oidc-provider';

export const client_id = 'tandem';
export const client_secret = 'a secret that the provider has made';

/** An organization that is connected to an OpenID provider. */
export interface ConnectedOrganization {
  organization: Organization;
  owner: Person;
  admin: Context;
}

export async function anOrganization(identity: IdentityUnderTest, name = 'Acme'): Promise<ConnectedOrganization> {
  const owner = await identity.aPerson();
  const { data } = await identity.call(createOrganization, asPerson(owner), { body: { name } });
  const organization = data as unknown as Organization;
  return { organization, owner, admin: asPerson(owner, { organization_id: organization.id, role: 'admin' }) };
}

export const redirectUri = (organization_id: string) => `http://localhost:3000/api/v1/auth/oidc/callback/${organization_id}`;

export async function connect(
  identity: IdentityUnderTest,
  provider: OpenIdProviderForTest,
  { organization, admin }: ConnectedOrganization,
  more: object = {},
): Promise<Answer> {
  await provider.register({ client_id, client_secret, redirect_uri: redirectUri(organization.id) });
  return identity.call(saveOidcConnection, admin, { body: { issuer: provider.issuer, client_id, client_secret, ...more } });
}

/** Plays the gateway's role for one browser. */
export class SignInUnderTest {
  readonly binding = randomBytes(32).toString('base64url');
  authorizeUrl = '';

  constructor(
    private readonly identity: IdentityUnderTest,
    private readonly provider: OpenIdProviderForTest,
    private readonly organization: Pick<Organization, 'id' | 'subdomain'>,
  ) {}

  async begin(redirect?: string): Promise<Answer> {
    const binding = createHash('sha256').update(this.binding).digest('hex');
    const body = { subdomain: this.organization.subdomain, binding, redirect };
    const answer = await this.identity.call(beginOidc, anonymous(), { body });
    this.authorizeUrl = (answer.data.authorize_url as string | undefined) ?? '';
    return answer;
  }

  visit(subject: string): Promise<URL> {
    return this.provider.visit(this.authorizeUrl, subject);
  }

  finish(callback: URL, more: { binding?: string; organization_id?: string } = {}): Promise<Answer> {
    const organization_id = callback.pathname.split('/').pop();
    const query = callback.search.slice(1);
    return this.identity.call(finishOidc, { ...gateway, client }, { body: { organization_id, query, binding: this.binding, ...more } });
  }

  /** Runs all steps. */
  async signIn(subject: string, redirect?: string): Promise<Answer> {
    const begun = await this.begin(redirect);
    return begun.status === 200 ? this.finish(await this.visit(subject)) : begun;
  }
}
