import type { Context, Role } from '@tandem/contracts';
import { newId } from '@tandem/db';

interface Ids {
  organization_id?: string;
  user_id?: string;
  session_id?: string;
  request_id?: string;
}

const client = { ip: '127.0.0.1', user_agent: 'Test' };

/** A signed-in member of an organization; of a new one by default. */
export const staff = (role: Role, ids: Ids = {}): Context & { organization_id: string; actor: { type: 'user'; user_id: string } } => ({
  organization_id: ids.organization_id ?? newId(),
  actor: { type: 'user', user_id: ids.user_id ?? newId(), role, session_id: ids.session_id ?? newId() },
  request_id: ids.request_id ?? newId(),
  client,
});

/** A customer on an organization's portal. */
export const customer = (organization_id: string): Context & { organization_id: string } => ({
  organization_id,
  actor: { type: 'customer' },
  request_id: newId(),
  client,
});
