import type { Invitation, Member, OfferedInvitation, Organization } from '@tandem/contracts';
import { http } from 'msw';
import { aSession, anId, backend, organization } from '../../testing/backend';
import { answer, api, refuse, server } from '../../testing/server';

export const anInvitation = (overrides: Partial<Invitation> = {}): Invitation => ({
  id: anId(),
  organization_id: organization.id,
  email: 'nina@northwind.example',
  role: 'agent',
  status: 'pending',
  created_at: new Date(Date.now() - 86_400_000).toISOString(),
  expires_at: new Date(Date.now() + 6 * 86_400_000).toISOString(),
  ...overrides,
});

export const anOffer = (overrides: Partial<OfferedInvitation> = {}): OfferedInvitation => ({
  organization_name: 'Northwind Coffee',
  email: 'new@example.com',
  role: 'manager',
  expires_at: new Date(Date.now() + 6 * 86_400_000).toISOString(),
  ...overrides,
});

/** Fake server state of the team for tests, in addition to the `backend`. */
export class TeamServer {
  organization: Organization = { ...organization };
  invitations: Invitation[] = [];
  taken: string[] = ['contoso'];
  offer: OfferedInvitation | undefined = anOffer();
  /** Bodies of the write requests, in order. */
  bodies: unknown[] = [];

  /** Registers handlers for this feature until the test ends. */
  start(): this {
    server.use(...this.aboutOrganization(), ...this.aboutTeam(), ...this.aboutOffer());
    return this;
  }

  private async write<T>(target: object, request: Request): Promise<T> {
    const body = (await request.json()) as object;
    this.bodies.push(body);
    return Object.assign(target, body) as T;
  }

  private aboutOrganization() {
    return [
      http.get(api('/organizations/subdomain-availability'), ({ request }) => {
        const subdomain = new URL(request.url).searchParams.get('subdomain') ?? '';
        const available = !this.taken.includes(subdomain);
        return answer({ subdomain, available, message: available ? null : 'This subdomain is already taken' });
      }),
      http.get(api('/organizations/:id'), ({ params }) =>
        params.id === this.organization.id ? answer(this.organization) : refuse('organization.not_found'),
      ),
      http.patch(api('/organizations/:id'), async ({ request }) => answer(await this.write<Organization>(this.organization, request))),
    ];
  }

  private aboutTeam() {
    const memberOf = (params: Record<string, unknown>) => backend.members.find(({ user_id }) => user_id === params.userId) as Member;
    return [
      http.patch(api('/team/members/:userId'), async ({ params, request }) => answer(await this.write(memberOf(params), request))),
      http.delete(api('/team/members/:userId/mfa'), ({ params }) => answer(Object.assign(memberOf(params), { mfa_enabled: false }))),
      http.get(api('/team/invitations'), () => answer(this.invitations)),
      http.post(api('/team/invitations'), async ({ request }) => {
        const invitation = await this.write<Invitation>(anInvitation(), request);
        this.invitations = [invitation, ...this.invitations];
        return answer(invitation, { status: 201 });
      }),
      http.post(api('/team/invitations/:id/resend'), ({ params }) => answer(this.invitations.find(({ id }) => id === params.id))),
      http.delete(api('/team/invitations/:id'), ({ params }) => {
        const cancelled = this.invitations.find(({ id }) => id === params.id);
        this.invitations = this.invitations.filter((each) => each !== cancelled);
        return answer({ ...cancelled, status: 'cancelled' });
      }),
    ];
  }

  private aboutOffer() {
    return [
      http.get(api('/invitations/:token'), () => (this.offer ? answer(this.offer) : refuse('invitation.not_found'))),
      http.post(api('/invitations/:token/accept'), () => {
        backend.session = aSession(backend.me);
        return answer(backend.me);
      }),
      http.post(api('/invitations/:token/decline'), () => answer({})),
    ];
  }
}
