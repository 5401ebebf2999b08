import type { Report, Role, Survey, Ticket, TicketMoment, TicketStats } from '@tandem/contracts';
import type { Tx } from '@tandem/db';
import type { Generated } from 'kysely';

export type OrganizationRow = { [Count in keyof TicketStats]: Generated<number> } & {
  organization_id: string;
  time_zone: Generated<string>;
  sequence: Generated<number>;
  version: Generated<number>;
  recounted_at: Generated<string>;
};

export interface MemberRow {
  organization_id: string;
  user_id: string;
  email: string;
  first_name: string | null;
  last_name: string | null;
  role: Role | null;
  is_active: boolean;
  sequence: number;
}

/** The values of a ticket's custom fields that are counted: those of choices, and yes or no. */
export type CountedValues = Record<string, string | boolean | string[]>;

/** The columns that events of the ticket write; `sequence` is that of the newest one. */
export type TicketColumns = Pick<
  Ticket,
  | 'organization_id'
  | 'ticket_number'
  | 'status'
  | 'priority'
  | 'category'
  | 'tags'
  | 'channel'
  | 'assigned_to'
  | 'created_at'
  | 'first_response_at'
  | 'resolved_at'
  | 'first_response_time_hours'
  | 'resolution_time_hours'
  | 'escalated_at'
  | 'reopen_count'
  | 'public_reply_count'
> & {
  ticket_id: string;
  created_day: string;
  created_hour: number;
  breached_at: string | null;
  breached_day: string | null;
  custom_fields: CountedValues;
  sequence: number;
};
/** The columns that events of the survey write. */
export interface SurveyColumns {
  survey_sent_at: string | null;
  rating: Survey['rating'] | null;
  feedback: Survey['feedback'];
  rated_at: string | null;
}
export type TicketFactRow = TicketColumns & { [Column in keyof SurveyColumns]: Generated<SurveyColumns[Column]> };

export interface TicketMomentRow extends TicketMoment {
  organization_id: string;
  ticket_id: string;
  day: string;
}

/** The filters by which roll-ups are stored; `all` is for no filter. */
export type Dimension = 'all' | 'priority' | 'channel' | 'category' | 'assignee' | 'tag';

export interface DayRollUpRow {
  organization_id: string;
  dimension: Dimension;
  key: string;
  day: string;
  backlog_growth: number;
  figures: string;
  breakdown: string;
  /** A packed day (`packDay`); null for slices, and if an earlier version has computed the day. Empty if it cannot be packed. */
  packed: Buffer | null;
}

export interface RebuildRow {
  organization_id: string;
  rebuild_id: string;
  step: 'history' | 'days' | 'roll_ups';
  expected: number | null;
  last_ticket_id: string | null;
  started_at: Generated<string>;
}

export interface InstallationRow {
  is_only_row: Generated<boolean>;
  installed_at: Generated<string>;
  announced_at: string | null;
}

/** Kysely's view of this service's database. The schema test compares it with the migrated one. */
export interface AnalyticsSchema {
  organizations: OrganizationRow;
  members: MemberRow;
  ticket_facts: TicketFactRow;
  ticket_moments: TicketMomentRow;
  early_surveys: SurveyColumns & { organization_id: string; ticket_id: string };
  day_roll_ups: DayRollUpRow & { revision: Generated<string> };
  dirty_days: { organization_id: string; day: string; marked_at: Generated<string> };
  rebuilds: RebuildRow;
  installation: InstallationRow;
  reports: Omit<Report, 'version'> & { organization_id: string; version: Generated<number> };
}
export type AnalyticsTx = Tx<AnalyticsSchema>;
