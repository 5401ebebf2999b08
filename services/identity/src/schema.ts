import type { Role } from '@tandem/contracts';
import type { ColumnType } from 'kysely';

/** Set by the database unless given. */
type Defaulted<T> = ColumnType<T, T | undefined, T>;

export interface UsersTable {
  id: string;
  email: string;
  first_name: string | null;
  last_name: string | null;
  password_hash: string;
  email_confirmed_at: string | null;
  mails_since: Defaulted<string>;
  mails_sent: Defaulted<number>;
  created_at: Defaulted<string>;
}

export interface ConfirmationTokensTable {
  token_hash: string;
  user_id: string;
  password_hash: string;
  first_name: string | null;
  last_name: string | null;
  expires_at: string;
  created_at: Defaulted<string>;
}

export interface SessionsTable {
  id: string;
  user_id: string;
  ip: string | null;
  user_agent: string | null;
  created_at: Defaulted<string>;
  last_seen_at: Defaulted<string>;
  idle_expires_at: string;
  absolute_expires_at: string;
  refresh_sequence: Defaulted<number>;
  rotated_at: Defaulted<string>;
  ended_at: Defaulted<string | null>;
  end_reason: Defaulted<'signed_out' | 'token_reused' | null>;
}

export interface RefreshTokensTable {
  token_hash: string;
  session_id: string;
  sequence: number;
  created_at: Defaulted<string>;
}

export interface OrganizationsTable {
  id: string;
  /** The same as `id`: an organization is its own tenant. */
  organization_id: string;
  name: string;
  slug: string;
  subdomain: string | null;
  ticket_prefix: string;
  trial_ends_at: string;
  created_at: Defaulted<string>;
}

export interface MembersTable {
  organization_id: string;
  user_id: string;
  role: Role;
  is_active: Defaulted<boolean>;
  created_at: Defaulted<string>;
}

/** The identity database as Kysely sees it; a test compares it with the migrated database. */
export interface IdentityTables {
  users: UsersTable;
  confirmation_tokens: ConfirmationTokensTable;
  sessions: SessionsTable;
  refresh_tokens: RefreshTokensTable;
  organizations: OrganizationsTable;
  members: MembersTable;
}
