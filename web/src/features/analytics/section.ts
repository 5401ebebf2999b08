import type { Analytics } from '@tandem/contracts';
import type { MetricLinks } from '../../lib/metric-links';

/** What each section of the page gets. */
export interface SectionProps {
  analytics: Analytics;
  links: MetricLinks;
}
