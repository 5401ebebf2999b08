import { systemContext } from '@tandem/contracts';
import { Database } from '@tandem/db';
import { findProfileAcrossOrganizations } from '@tandem/identity/src/account/account.store';
import { hasMfa } from '@tandem/identity/src/mfa/mfa.store';
import type { IdentityTables } from '@tandem/identity/src/schema';
import { resetMfa } from '@tandem/identity/src/team/member.service';
import { parseArgs } from 'node:util';
import { createFirstAdmin } from '../first-admin';
import { Refused, required } from '../installation';
import type { Subcommand } from '../subcommand';

const usage = `tandem admin create <email> --organization <name> [--subdomain <subdomain>]
tandem admin reset-2fa <email>`;

const options = { organization: { type: 'string' }, subdomain: { type: 'string' } } as const;

const command: Subcommand = {
  usage,
  async run(args) {
    const { positionals, values } = parseArgs({ args, allowPositionals: true, options });
    const { organization, subdomain } = values;
    const [action, email, ...rest] = positionals;
    const hasOptions = organization !== undefined || subdomain !== undefined;
    const isCreate = action === 'create' && organization !== undefined;
    if (email === undefined || rest.length > 0 || !(isCreate || (action === 'reset-2fa' && !hasOptions)))
      throw new Refused(`usage: ${usage}`);
    const db = new Database<IdentityTables>({ url: required('IDENTITY_DATABASE_URL'), max: 1, applicationName: 'tandem-command' });
    try {
      if (isCreate) await create(db, { email, organization, subdomain });
      else await resetSecondFactor(db, email.toLowerCase());
    } finally {
      await db.close();
    }
    return 0;
  },
};
export default command;

/** The password is never an argument, because other users of the machine can see the arguments of a process. */
async function create(db: Database<IdentityTables>, admin: Parameters<typeof createFirstAdmin>[1]): Promise<void> {
  const publicUrl = required('PUBLIC_URL').replace(/\/+$/, '');
  const { subdomain, token } = await createFirstAdmin(db, admin);
  console.log(`${admin.organization} has the subdomain ${subdomain}, and ${admin.email} is its admin.`);
  if (token === undefined) console.log('The account existed: its password has not changed.');
  else
    console.log(
      `Set the password within an hour; the link works once:\n${publicUrl}/auth/reset-password?token=${encodeURIComponent(token)}`,
    );
}

/** Same as a reset by another admin, but the actor is the system: the user is notified, and the audit log records it. */
async function resetSecondFactor(db: Database<IdentityTables>, email: string): Promise<void> {
  const { user_id, organization_id } = await db.asSystem('member for the reset of the second factor', async (tx) => {
    const user = await tx.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst();
    const profile = user && (await findProfileAcrossOrganizations(tx, user.id));
    if (!user || !profile?.organization_id) throw new Refused(`No member of an organization has the address ${email}.`);
    if (!(await hasMfa(tx, user.id))) throw new Refused(`${email} does not use two-factor sign-in.`);
    return { user_id: user.id, organization_id: profile.organization_id };
  });
  const ctx = systemContext(organization_id, 'operator');
  await db.forTenant(ctx, (tx) => resetMfa(tx, ctx, user_id));
  console.log(`Two-factor sign-in of ${email} is off, and all sessions have ended. It is in the audit log of the organization.`);
}
