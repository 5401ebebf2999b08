import type { AnalyticsDay } from '@tandem/contracts';
import { lazy, Suspense, useDeferredValue, useId, useLayoutEffect, useRef } from 'react';
import type { MetricLinks } from '../../../lib/metric-links';
import { t } from '../../../lib/staff-texts';
import { DayDrawing, FixedScales, height, margin, scalesOf } from './DayDrawing';
import { PlotImage } from './PlotImage';
import { Stripes } from './Stripes';
import { useWidth } from './use-width';

// Loaded together with the page, and rendered after the drawing has been painted: there are three links per day.
const dayPlot = import('./DayPlot');
const DayPlot = lazy(() => dayPlot.then((module) => ({ default: module.DayPlot })));

/** Narrower days are hard to distinguish, so the chart scrolls instead. */
const minDayWidth = 7;

function Legend() {
  const stripes = useId();
  return (
    <ul className="mb-1 flex gap-4 text-xs text-muted [print-color-adjust:exact]">
      <li className="flex items-center gap-1.5">
        <span aria-hidden className="size-2.5 rounded-xs bg-accent" />
        {t('analytics.charts.created')}
      </li>
      <li className="flex items-center gap-1.5">
        <svg aria-hidden className="size-2.5 rounded-xs">
          <Stripes id={stripes} />
          <rect width="100%" height="100%" fill={`url(#${stripes})`} />
        </svg>
        {t('analytics.charts.resolved')}
      </li>
    </ul>
  );
}

interface DayChartProps {
  days: AnalyticsDay[];
  links: MetricLinks;
  title: string;
  summary: string;
}

/** Created and resolved tickets of each day as bars, with the backlog as a line below. The newest days are in view. */
export function DayChart({ days, links, title, summary }: DayChartProps) {
  const [measure, { width: available, isPaper }] = useWidth();
  const width = isPaper ? available : Math.max(available, days.length * minDayWidth + margin.left + margin.right);
  const scales = scalesOf(days, width);
  const hasLinks = useDeferredValue(true, false);
  const scroller = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    // Only if there is something to scroll: it makes the browser compute the layout immediately.
    if (scroller.current && width > available) scroller.current.scrollLeft = width;
  }, [width, available]);
  const image = (
    <PlotImage width={width} height={height} label={`${title}. ${summary}`}>
      <DayDrawing days={days} scales={scales} width={width} />
    </PlotImage>
  );
  return (
    <>
      <Legend />
      <div ref={measure} style={{ minHeight: height }}>
        {available > 0 && (
          <div ref={scroller} className="overflow-x-auto overflow-y-hidden print:overflow-visible">
            <div style={{ width }} className="print:w-full!">
              {width > available && <FixedScales scales={scales} />}
              <Suspense fallback={image}>
                {hasLinks ? <DayPlot days={days} scales={scales} links={links} width={width} title={title} summary={summary} /> : image}
              </Suspense>
            </div>
          </div>
        )}
      </div>
    </>
  );
}
