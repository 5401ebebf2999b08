import type { Context, Role } from '@tandem/contracts';
import { newId } from '@tandem/db';
import { createOrganizationWithAdmin } from '../src/organization/organization.service';
import { joinTeam } from '../src/team/member.store';
import { asPerson, type IdentityUnderTest, type Person } from './identity';

export interface Colleague extends Person {
  ctx: Context;
}

/** An organization with its admin, and people who join it. */
export class TeamUnderTest {
  private constructor(
    readonly identity: IdentityUnderTest,
    readonly id: string,
    readonly admin: Colleague,
  ) {}

  static async found(identity: IdentityUnderTest, name = 'Some Company'): Promise<TeamUnderTest> {
    const id = newId();
    const person = await identity.aPerson();
    const ctx = asPerson(person, { organization_id: id, role: 'admin' });
    await identity.db.forTenant({ organization_id: id }, (tx) =>
      createOrganizationWithAdmin(tx, ctx, { id, name, admin_id: person.user_id, isSingle: false }),
    );
    return new TeamUnderTest(identity, id, { ...person, ctx });
  }

  async join(role: Role): Promise<Colleague> {
    const person = await this.identity.aPerson();
    const { user_id } = person;
    const organization_id = this.id;
    await this.identity.db.forTenant({ organization_id }, (tx) => joinTeam(tx, this.admin.ctx, { organization_id, user_id, role }));
    return { ...person, ctx: asPerson(person, { organization_id, role }) };
  }

  /** Gives a person a confirmed authenticator that cannot generate codes. */
  async withMfa(person: Person): Promise<void> {
    await this.identity.db.asSystem('test', (tx) =>
      tx.insertInto('mfa').values({ user_id: person.user_id, sealed_secret: 'test.x', confirmed_at: new Date().toISOString() }).execute(),
    );
  }

  /** The organization's events, oldest first. */
  async events(type?: string) {
    return (await this.identity.events(type)).filter(({ organization_id }) => organization_id === this.id);
  }

  log() {
    return this.identity.db.forTenant({ organization_id: this.id }, (tx) =>
      tx.selectFrom('audit_log').select(['type', 'actor_id', 'actor_email', 'target', 'changes']).orderBy('id').execute(),
    );
  }

  /** Everything that a rejected call must leave unchanged. */
  state() {
    return this.identity.db.asSystem('test', async (tx) => ({
      organizations: await tx.selectFrom('organizations').selectAll().orderBy('id').execute(),
      members: await tx.selectFrom('members').selectAll().orderBy('user_id').execute(),
      invitations: await tx.selectFrom('invitations').selectAll().orderBy('id').execute(),
      versions: await tx.selectFrom('users').select(['id', 'access_version', 'email']).orderBy('id').execute(),
      mfa: await tx.selectFrom('mfa').select('user_id').orderBy('user_id').execute(),
      announced: await tx
        .selectFrom('outbox')
        .select((of) => of.fn.countAll<number>().as('count'))
        .execute(),
      noted: await tx
        .selectFrom('audit_log')
        .select((of) => of.fn.countAll<number>().as('count'))
        .execute(),
    }));
  }
}
