/**
 * Fills an empty installation with demo data. The starter calls it once per database; it can be repeated.
 * `demo history` then adds the tickets of 90 days, which takes some seconds.
 * The services must be running, because tickets gets the organization through its event.
 * Reads IDENTITY_DATABASE_URL and TICKETS_DATABASE_URL; prints JSON: { sign_ins: [{ role, email, password }] }.
 */
import { Database } from '@tandem/db';
import { demoPassword, seedDemoOrganization } from '@tandem/identity/src/demo';
import type { IdentityTables } from '@tandem/identity/src/schema';
import { seedDemoHistory } from '@tandem/tickets/src/demo/seed-demo-history';
import { seedDemoTickets } from '@tandem/tickets/src/demo/seed-demo-tickets';
import type { TicketsSchema } from '@tandem/tickets/src/schema';
import { requiredVariable } from './command-line';

async function main(): Promise<void> {
  const identity = open<IdentityTables>('IDENTITY_DATABASE_URL');
  const tickets = open<TicketsSchema>('TICKETS_DATABASE_URL');
  try {
    const { organization, members } = await seedDemoOrganization(identity, { isSingle: process.env.SINGLE_ORGANIZATION === 'true' });
    const demo = { organization_id: organization.id, member_ids: members.map(({ user_id }) => user_id) };
    if (process.argv[2] === 'history') {
      await seedDemoHistory(tickets, demo);
      return;
    }
    await seedDemoTickets(tickets, demo);
    console.log(JSON.stringify({ sign_ins: members.map(({ role, email }) => ({ role, email, password: demoPassword })) }));
  } finally {
    await Promise.all([identity.close(), tickets.close()]);
  }
}

function open<S>(variable: string): Database<S> {
  return new Database<S>({ url: requiredVariable(variable), max: 2, applicationName: 'tandem-demo' });
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
