/** Defaults of a new SLA policy (docs/product-rules.md#sla). */
export const slaDefaults = {
  response_time_hours: 24,
  resolution_time_hours: 72,
  escalation_enabled: true,
  escalation_time_hours: 48,
  is_active: true,
} as const;

export const slaLimits = {
  /** A year. */
  hours: 8760,
  name: 100,
  policies: 50,
  /** Maximum number of business-hour spans per week, and of holidays. */
  spans: 28,
  holidays: 200,
} as const;

/** A warning is sent after this fraction of the time: `0.8` of 24 hours is 4.8 hours before the due time. */
export const slaWarningAt = 0.8;

export const slaClocks = ['response', 'resolution'] as const;
export type SlaClock = (typeof slaClocks)[number];
/** State of a timer; `missed`: met too late; `overdue`: past the due time and still not met. */
export const slaClockStates = ['running', 'paused', 'met', 'missed', 'overdue'] as const;
export type SlaClockState = (typeof slaClockStates)[number];
/** Why a timer is paused. */
export const slaPauses = ['waiting_for_customer', 'outside_business_hours'] as const;
export type SlaPause = (typeof slaPauses)[number];

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof weekdays)[number];
