import type { Analytics } from '@tandem/contracts';
import type { MetricLinks } from '../../lib/metric-links';

/** The props of each section of the page. */
export interface SectionProps {
  analytics: Analytics;
  links: MetricLinks;
}
