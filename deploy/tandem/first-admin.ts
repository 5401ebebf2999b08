import { AppError, CreateOrganization, SignUp, systemContext } from '@tandem/contracts';
import { subdomainRule } from '@tandem/contracts/values';
import { newId, type Database } from '@tandem/db';
import { createAccount } from '@tandem/identity/src/account/account.store';
import { hashPassword } from '@tandem/identity/src/account/password';
import { insertPasswordReset } from '@tandem/identity/src/account/password.store';
import { isReservedSubdomain, subdomainCandidates } from '@tandem/identity/src/organization/organization';
import { createOrganizationWithAdmin } from '@tandem/identity/src/organization/organization.service';
import type { IdentityTables } from '@tandem/identity/src/schema';
import { hashToken, newToken } from '@tandem/platform';
import { sql } from 'kysely';
import { isSingleOrganization, Refused } from './installation';

export interface FirstAdmin {
  email: string;
  organization: string;
  /** Derived from the name by default. */
  subdomain?: string | undefined;
}

export interface CreatedAdmin {
  organization_id: string;
  subdomain: string;
  /** Sets the password: once, within an hour. Undefined if the account existed, because it has a password. */
  token: string | undefined;
}

/**
 * Creates an organization with its first admin, and the account if there is none. Events and audit log are those of an organization that
 * a user creates, by the system.
 */
export async function createFirstAdmin(
  db: Database<IdentityTables>,
  { email, organization, subdomain }: FirstAdmin,
): Promise<CreatedAdmin> {
  const address = SignUp.shape.email.safeParse(email);
  if (!address.success) throw new Refused(`${email} is not an email address.`);
  const parsed = CreateOrganization.safeParse({ name: organization });
  if (!parsed.success) throw new Refused('The name of the organization must have 1 to 100 characters.');
  if (subdomain !== undefined && (!subdomainRule.pattern.test(subdomain) || isReservedSubdomain(subdomain)))
    throw new Refused(`The subdomain ${subdomain} is reserved, or not 3 to 30 letters, digits and hyphens.`);
  const { name } = parsed.data;
  const id = newId();
  const ctx = systemContext(id, 'operator');
  // A random password, which no person knows: the link sets another one.
  const password_hash = await hashPassword(newToken());
  try {
    return await db.forTenant(ctx, async (tx) => {
      const account = await createAccount(tx, { email: address.data, first_name: null, last_name: null, password_hash });
      const token = account.email_confirmed_at === null ? newToken() : undefined;
      if (token !== undefined) {
        // The operator vouches for the address.
        await tx
          .updateTable('users')
          .set({ email_confirmed_at: sql<string>`now()` })
          .where('id', '=', account.id)
          .execute();
        await insertPasswordReset(tx, hashToken(token), account.id);
      }
      const subdomains = subdomain === undefined ? subdomainCandidates(name) : [subdomain];
      const created = await createOrganizationWithAdmin(tx, ctx, {
        id,
        name,
        admin_id: account.id,
        isSingle: isSingleOrganization(),
        subdomains,
      });
      return { organization_id: id, subdomain: created.subdomain ?? '', token };
    });
  } catch (error) {
    if (error instanceof AppError && error.code === 'organization.already_set_up')
      throw new Refused(`${email} is already a member of an organization.`, { cause: error });
    if (error instanceof AppError && error.code === 'sign_up.closed')
      throw new Refused('The installation has its organization (SINGLE_ORGANIZATION=true). Invite further members in Team.', {
        cause: error,
      });
    if (subdomain !== undefined && /subdomain that was offered/.test((error as Error).message))
      throw new Refused(`The subdomain ${subdomain} is taken.`, { cause: error });
    throw error;
  }
}
