import type { TicketsTx } from '../schema';

/**
 * The version of the organization's rules in each transaction. It is read together with the ticket that the transaction locks or creates, so
 * that rules cost no further statement where there are none, and is not a field of the ticket, so that it cannot be saved or sent with it.
 */
const versions = new WeakMap<TicketsTx, { organization_id: string; version: number }>();

export function rememberRulesVersion(tx: TicketsTx, organization_id: string, version: number): void {
  versions.set(tx, { organization_id, version });
}

/** 0: the organization has no active rules. Read with a statement if the transaction has locked no ticket of the organization. */
export async function rulesVersionIn(tx: TicketsTx, organization_id: string): Promise<number> {
  const known = versions.get(tx);
  if (known?.organization_id === organization_id) return known.version;
  const row = await tx
    .selectFrom('organizations')
    .select('rules_version')
    .where('organization_id', '=', organization_id)
    .executeTakeFirst();
  const version = row?.rules_version ?? 0;
  rememberRulesVersion(tx, organization_id, version);
  return version;
}
