import { lazy, memo, Suspense } from 'react';
import { Arrivals } from './Arrivals';
import { ByField } from './ByField';
import { ChannelCategoryTags, PriorityAndStatus } from './Breakdowns';
import { DurationChart } from './Durations';
import { Satisfaction } from './Satisfaction';
import { SlaByPriority } from './SlaByPriority';
import { TeamTable } from './TeamTable';
import type { SectionProps } from './section';

const HelpArticles = lazy(() => import('./HelpArticles').then((module) => ({ default: module.HelpArticles })));

export { PrintHeading } from './PrintHeading';

/** The sections below the first screen. */
export const LowerSections = memo(function LowerSections(section: SectionProps) {
  return (
    <>
      <div className="grid gap-3 lg:grid-cols-2">
        <DurationChart {...section} duration="first_response" />
        <DurationChart {...section} duration="resolution" />
      </div>
      <PriorityAndStatus {...section} />
      <ChannelCategoryTags {...section} />
      <ByField {...section} />
      <Satisfaction {...section} />
      <SlaByPriority {...section} />
      <TeamTable {...section} />
      <Arrivals {...section} />
      <Suspense fallback={null}>
        <HelpArticles {...section} />
      </Suspense>
    </>
  );
});
