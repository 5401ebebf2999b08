import type { AnalyticsDay } from '@tandem/contracts';
import { lazy, Suspense, useDeferredValue } from 'react';
import type { MetricLinks } from '../../../lib/metric-links';
import { t } from '../../../lib/staff-texts';
import { BarLegend, DayScroller } from './DayBars';
import { DayDrawing, FixedScales, height, margin, scalesOf } from './DayDrawing';
import { PlotImage } from './PlotImage';

// Loaded together with the page, and rendered after the drawing has been painted: there are three links per day.
const dayPlot = import('./DayPlot');
const DayPlot = lazy(() => dayPlot.then((module) => ({ default: module.DayPlot })));

interface DayChartProps {
  days: AnalyticsDay[];
  links: MetricLinks;
  title: string;
  summary: string;
}

/** Created and resolved tickets of each day as bars, with the backlog as a line below. The newest days are in view. */
export function DayChart({ days, links, title, summary }: DayChartProps) {
  const hasLinks = useDeferredValue(true, false);
  return (
    <>
      <BarLegend solid={t('analytics.charts.created')} striped={t('analytics.charts.resolved')} />
      <DayScroller count={days.length} margins={margin.left + margin.right} height={height}>
        {(width, isScrolling) => {
          const scales = scalesOf(days, width);
          const image = (
            <PlotImage width={width} height={height} label={`${title}. ${summary}`}>
              <DayDrawing days={days} scales={scales} width={width} />
            </PlotImage>
          );
          return (
            <>
              {isScrolling && <FixedScales scales={scales} />}
              <Suspense fallback={image}>
                {hasLinks ? <DayPlot days={days} scales={scales} links={links} width={width} title={title} summary={summary} /> : image}
              </Suspense>
            </>
          );
        }}
      </DayScroller>
    </>
  );
}
