import type { Analytics } from '@tandem/contracts';
import type { MetricLinks } from '../../lib/metric-links';
import type { AnalyticsView } from './analytics-view';

/** The props of each section of the page. */
export interface SectionProps {
  analytics: Analytics;
  links: MetricLinks;
  view: AnalyticsView;
}
