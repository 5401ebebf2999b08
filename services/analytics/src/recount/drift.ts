import { counter } from '@tandem/platform';

export const drift = counter(
  'tandem_analytics_drift_total',
  'Days, and counts of dashboards, whose stored figures differed from a recount or were damaged',
);
