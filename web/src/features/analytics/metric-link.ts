/** Style of a number that opens its tickets. */
export const metricLink =
  'rounded-xs underline decoration-line-strong underline-offset-3 hover:text-accent-text hover:decoration-current print:no-underline';
