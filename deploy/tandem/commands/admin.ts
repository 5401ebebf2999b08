import { systemContext } from '@tandem/contracts';
import { Database } from '@tandem/db';
import { findProfileAcrossOrganizations } from '@tandem/identity/src/account/account.store';
import { hasMfa } from '@tandem/identity/src/mfa/mfa.store';
import type { IdentityTables } from '@tandem/identity/src/schema';
import { resetMfa } from '@tandem/identity/src/team/member.service';
import { parseArgs } from 'node:util';
import { Refused, required } from '../installation';
import type { Subcommand } from '../subcommand';

const usage = 'tandem admin reset-2fa <email>';

const command: Subcommand = {
  usage,
  async run(args) {
    const { positionals } = parseArgs({ args, allowPositionals: true });
    const [action, email, ...rest] = positionals;
    if (action !== 'reset-2fa' || email === undefined || rest.length > 0) throw new Refused(`usage: ${usage}`);
    const db = new Database<IdentityTables>({ url: required('IDENTITY_DATABASE_URL'), max: 1, applicationName: 'tandem-command' });
    try {
      await resetSecondFactor(db, email.toLowerCase());
    } finally {
      await db.close();
    }
    console.log(`Two-factor sign-in of ${email} is off, and all sessions have ended. It is in the audit log of the organization.`);
    return 0;
  },
};
export default command;

/** As if another admin had done it, but by the system: the user and the audit log are informed. */
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
}
