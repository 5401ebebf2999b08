import type {
  PlanName,
  AuditCategory,
  AuditType,
  Branding,
  Language,
  Organization,
  Role,
  Severity,
  TextPart,
  TokenPermission,
  WidgetTheme,
} from '@tandem/contracts';
import type { ColumnType } from 'kysely';

/** The database sets a default unless a value is given. */
type Defaulted<T> = ColumnType<T, T | undefined, T>;

export interface UsersTable {
  id: string;
  email: string;
  first_name: string | null;
  last_name: string | null;
  signature: Defaulted<string | null>;
  password_hash: string;
  email_confirmed_at: string | null;
  mails_since: Defaulted<string>;
  mails_sent: Defaulted<number>;
  access_version: Defaulted<number>;
  password_failed_count: Defaulted<number>;
  password_failed_since: Defaulted<string | null>;
  password_blocked_until: Defaulted<string | null>;
  created_at: Defaulted<string>;
}

export interface ConfirmationTokensTable {
  token_hash: string;
  user_id: string;
  password_hash: string;
  first_name: string | null;
  last_name: string | null;
  /** SHA-256 of the secret in the cookie of the browser that signed up. */
  browser_hash: Defaulted<string | null>;
  expires_at: string;
  created_at: Defaulted<string>;
}

export type SessionEnd =
  | 'signed_out'
  | 'token_reused'
  | 'revoked'
  | 'password_changed'
  | 'password_reset'
  | 'deactivated'
  | 'mfa_reset'
  | 'oidc_disconnected';

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
  end_reason: Defaulted<SessionEnd | null>;
  has_second_factor: Defaulted<boolean>;
}

export interface OperatorLogTable {
  id: string;
  user_id: string;
  email: string;
  action: string;
  target: string | null;
  ip: string | null;
  user_agent: string | null;
  created_at: Defaulted<string>;
}

export interface BackupsTable {
  id: string;
  taken_at: Defaulted<string>;
  version: string;
  folder: string;
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
  ticket_prefix_sequence: Defaulted<number>;
  require_mfa_for_admins: Defaulted<boolean>;
  time_zone: Defaulted<string>;
  business_hours: ColumnType<Organization['business_hours'], string | null | undefined, string | null>;
  holidays: ColumnType<Organization['holidays'], string | undefined, string>;
  auto_assign: Defaulted<boolean>;
  default_priority: Defaulted<Organization['default_priority']>;
  customer_follow_up: Defaulted<Organization['customer_follow_up']>;
  instant_lookup: Defaulted<boolean>;
  languages: ColumnType<Organization['languages'], string | undefined, string>;
  categories: ColumnType<Organization['categories'], string | undefined, string>;
  trial_ends_at: string;
  plan: Defaulted<PlanName | null>;
  demo_ends_at: Defaulted<string | null>;
  deletion_at: Defaulted<string | null>;
  deletion_requested_at: Defaulted<string | null>;
  deletion_requested_by: Defaulted<string | null>;
  deletion_reminded_at: Defaulted<string | null>;
  created_at: Defaulted<string>;
}

export interface MembersTable {
  organization_id: string;
  user_id: string;
  role: Role;
  is_active: Defaulted<boolean>;
  created_at: Defaulted<string>;
}

export interface PasswordResetsTable {
  token_hash: string;
  user_id: string;
  expires_at: string;
  created_at: Defaulted<string>;
}

export interface EmailChangesTable {
  token_hash: string;
  user_id: string;
  email: string;
  expires_at: string;
  created_at: Defaulted<string>;
}

export interface MfaTable {
  user_id: string;
  sealed_secret: string;
  confirmed_at: Defaulted<string | null>;
  last_used_step: Defaulted<number | null>;
  failed_count: Defaulted<number>;
  failed_since: Defaulted<string | null>;
  blocked_until: Defaulted<string | null>;
  created_at: Defaulted<string>;
}

export interface MfaRecoveryCodesTable {
  user_id: string;
  code_hash: string;
  used_at: Defaulted<string | null>;
}

export interface MfaChallengesTable {
  token_hash: string;
  user_id: string;
  expires_at: string;
  created_at: Defaulted<string>;
}

export interface InvitationsTable {
  id: string;
  organization_id: string;
  email: string;
  role: Role;
  status: Defaulted<'pending' | 'accepted' | 'cancelled'>;
  token_hash: string;
  invited_by: string | null;
  mails_since: Defaulted<string>;
  mails_sent: Defaulted<number>;
  expires_at: string;
  created_at: Defaulted<string>;
}

export type Changes = Record<string, { from: unknown; to: unknown }>;

export interface AuditLogTable {
  id: string;
  organization_id: string;
  type: AuditType;
  category: AuditCategory;
  severity: Severity;
  occurred_at: Defaulted<string>;
  actor_id: string | null;
  actor_email: string | null;
  target: string | null;
  ip: string | null;
  user_agent: string | null;
  changes: ColumnType<Changes | null, string | null, never>;
}

export interface OidcConnectionsTable {
  organization_id: string;
  issuer: string;
  client_id: string;
  sealed_client_secret: string | null;
  is_active: Defaulted<boolean>;
  auto_join: Defaulted<boolean>;
  updated_at: Defaulted<string>;
}

export interface OidcIdentitiesTable {
  organization_id: string;
  issuer: string;
  subject: string;
  user_id: string;
  created_at: Defaulted<string>;
}

export interface OidcAttemptsTable {
  state_hash: string;
  organization_id: string;
  binding_hash: string;
  nonce: string;
  sealed_verifier: string;
  redirect: string;
  expires_at: string;
}

export interface BrandingTable {
  organization_id: string;
  primary_color: Defaulted<string>;
  secondary_color: Defaulted<string>;
  logo_id: Defaulted<string | null>;
  favicon_id: Defaulted<string | null>;
  custom_css: Defaulted<string>;
  scoped_css: Defaulted<string>;
  hide_powered_by: Defaulted<boolean>;
  custom_domain: Defaulted<string | null>;
  custom_domain_token: Defaulted<string | null>;
  custom_domain_verified_at: Defaulted<string | null>;
  custom_domain_checked_at: Defaulted<string | null>;
  custom_domain_missing_since: Defaulted<string | null>;
  custom_domain_lapsed_at: Defaulted<string | null>;
  email_template_header: Defaulted<string>;
  email_template_footer: Defaulted<string>;
  email_templates: ColumnType<Branding['email_templates'], string | undefined, string>;
  updated_at: Defaulted<string>;
}

export interface BrandingAssetsTable {
  organization_id: string;
  id: string;
  content_type: string;
  content: Buffer;
  created_at: Defaulted<string>;
}

export interface WordingTable {
  organization_id: string;
  part: TextPart;
  language: Language;
  key: string;
  text: string;
  original_hash: string;
  updated_at: Defaulted<string>;
}

export interface WidgetsTable {
  organization_id: string;
  allowed_sites: Defaulted<string[]>;
  identity_required: Defaulted<boolean>;
  sealed_secret: Defaulted<string | null>;
  theme: Defaulted<WidgetTheme>;
  updated_at: Defaulted<string>;
}

export interface ApiTokensTable {
  organization_id: string;
  id: string;
  name: string;
  token_hash: string;
  last_four: string;
  permissions: TokenPermission[];
  networks: Defaulted<string[]>;
  is_active: Defaulted<boolean>;
  expires_at: string | null;
  previous_hash: Defaulted<string | null>;
  previous_valid_until: Defaulted<string | null>;
  created_by: string;
  created_at: Defaulted<string>;
  last_used_at: Defaulted<string | null>;
  last_used_ip: Defaulted<string | null>;
}

/** The identity database as Kysely sees it; a test compares it with the migrated database. */
export interface IdentityTables {
  users: UsersTable;
  confirmation_tokens: ConfirmationTokensTable;
  sessions: SessionsTable;
  refresh_tokens: RefreshTokensTable;
  organizations: OrganizationsTable;
  members: MembersTable;
  password_resets: PasswordResetsTable;
  email_changes: EmailChangesTable;
  mfa: MfaTable;
  mfa_recovery_codes: MfaRecoveryCodesTable;
  mfa_challenges: MfaChallengesTable;
  invitations: InvitationsTable;
  audit_log: AuditLogTable;
  oidc_connections: OidcConnectionsTable;
  oidc_identities: OidcIdentitiesTable;
  oidc_attempts: OidcAttemptsTable;
  branding: BrandingTable;
  branding_assets: BrandingAssetsTable;
  widgets: WidgetsTable;
  wording: WordingTable;
  api_tokens: ApiTokensTable;
  operator_log: OperatorLogTable;
  backups: BackupsTable;
}
