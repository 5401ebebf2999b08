export * from './analytics';
export * from './api-tokens';
export * from './assignment';
export * from './attachments';
export * from './audit';
export * from './branding';
export * from './business-hours';
export * from './catalogue';
export * from './challenge';
export * from './client-schemas';
export * from './comments';
export * from './conditions';
export * from './context';
export * from './articles';
export * from './export-lines';
export * from './exports';
export * from './imports';
export * from './privacy';
export * from './records';
export * from './custom-fields';
export * from './define';
export * from './envelope';
export * from './errors';
export * from './help-center';
export * from './identity';
export * from './integrations';
export * from './live';
export * from './live-events';
export * from './macros';
export * from './mail-in';
export * from './mail-server';
export * from './notifications';
export * from './operator';
export * from './organizations';
export * from './pagination';
export * from './portal';
export * from './public-events';
export * from './reports';
export * from './rules';
export * from './scalars';
export * from './sender-domain';
export * from './sla';
export * from './snooze';
export * from './staff-notifications';
export * from './surveys';
export * from './task-tools';
export * from './ticket-page';
export * from './ticket-prefix';
export * from './ticket-reads';
export * from './ticket-tasks';
export * from './tickets';
export * from './timeline';
export * from './views';
export * from './webhooks';
export * from './widget';
export * from './wording';
export * from './sender-checks';
export {
  analyticsLimits,
  analyticsRanges,
  courseFigures,
  metricDefinitions,
  reportFrequencies,
  type CourseFigure,
  type ReportFrequency,
} from './values/analytics';
export * from './values/api-tokens';
export * from './values/articles';
export * from './values/privacy';
export * from './values/transfer';
export * from './values/attachments';
export * from './values/audit';
export * from './values/brand-colors';
export * from './values/ticket-custom-fields';
export {
  customFieldLimits,
  customFieldTypes,
  fieldValueProblem,
  type CustomFieldType,
  type CustomFieldValues,
} from './values/custom-fields';
export * from './values/customers';
export { docsPageNames, docsPages, type DocsPageName } from './values/documentation';
export * from './values/errors';
export * from './values/languages';
export * from './values/limits';
export * from './values/macros';
export * from './values/notifications';
export * from './values/permissions';
export * from './values/plans';
export * from './values/query-list';
export * from './values/rate-limits';
export {
  ruleDisabledReasons,
  ruleEffects,
  ruleLimits,
  ruleMoments,
  ruleProblems,
  ruleRuns,
  ruleTriggers,
  type RuleDisabledReason,
  type RuleEffect,
  type RuleMoment,
  type RuleProblem,
} from './values/rules';
export * from './values/sender-checks';
export * from './values/task-sync';
export { slaDefaults, slaLimits, slaWarningAt, weekdays, type SlaClockState, type SlaPause, type Weekday } from './values/sla';
export {
  customerMayComment,
  customerStatusLabels,
  defaultPriority,
  priorityLabels,
  sortLabels,
  statusLabels,
  taskFilterLabels,
  taskFilters,
  ticketLimits,
  ticketPriorities,
  ticketSorts,
  ticketStatuses,
  undoSeconds,
  type TaskFilter,
  type TicketSort,
} from './values/tickets';
export * from './values/webhooks';
