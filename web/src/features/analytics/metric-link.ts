/** Style of a number that opens its tickets. */
export const metricLink =
  'rounded-xs underline decoration-line-strong underline-offset-3 hover:text-accent-text hover:decoration-current print:no-underline';

/** The same for numbers that stand out: underlined on hover. */
export const bigMetricLink = 'rounded-xs underline-offset-3 hover:text-accent-text hover:underline';
