import type { HelpReport } from '@tandem/contracts';
import { useId, useLayoutEffect, useRef } from 'react';
import { longDayText, shortDayText } from '../../lib/metric-format';
import { t } from '../../lib/staff-texts';
import { CountAxis, NameAxis } from './charts/axis';
import { PlotImage } from './charts/PlotImage';
import { bandScale, linearScale } from './charts/scale';
import { Stripes } from './charts/Stripes';
import { useWidth } from './charts/use-width';

const margin = { left: 34, right: 6, top: 8 };
const barsHeight = 150;
const height = margin.top + barsHeight + 24;
/** Narrower days are hard to distinguish, so the chart scrolls instead. */
const minDayWidth = 7;

const titleOf = ({ day, views, searches }: HelpReport['days'][number]) =>
  t('analytics.help.day_tooltip', { day: longDayText(day), views, searches });

function Drawing({ days, width }: { days: HelpReport['days']; width: number }) {
  const stripes = useId();
  const x = bandScale(
    days.map(({ day }) => day),
    [margin.left, width - margin.right],
    0.2,
  );
  const most = Math.max(1, ...days.flatMap(({ views, searches }) => [views, searches]));
  const y = linearScale(most, [margin.top + barsHeight, margin.top], 3);
  const half = x.barWidth / 2;
  const bar = (count: number, left: number, fill: string) => (
    <rect x={left} y={y(count)} width={Math.max(half - 0.5, 1)} height={margin.top + barsHeight - y(count)} fill={fill} />
  );
  return (
    <>
      <Stripes id={stripes} />
      <CountAxis scale={y} left={margin.left} width={width - margin.left - margin.right} />
      {days.map((day) => (
        <g key={day.day}>
          <title>{titleOf(day)}</title>
          <rect x={x(day.day)} y={margin.top} width={x.barWidth} height={barsHeight} fill="transparent" />
          {bar(day.views, x(day.day), 'var(--accent)')}
          {bar(day.searches, x(day.day) + half, `url(#${stripes})`)}
        </g>
      ))}
      <NameAxis scale={x} top={margin.top + barsHeight} labelWidth={56} text={shortDayText} />
    </>
  );
}

function Legend() {
  const stripes = useId();
  return (
    <ul className="mb-1 flex gap-4 text-xs text-muted [print-color-adjust:exact]">
      <li className="flex items-center gap-1.5">
        <span aria-hidden className="size-2.5 rounded-xs bg-accent" />
        {t('analytics.help.views')}
      </li>
      <li className="flex items-center gap-1.5">
        <svg aria-hidden className="size-2.5 rounded-xs">
          <Stripes id={stripes} />
          <rect width="100%" height="100%" fill={`url(#${stripes})`} />
        </svg>
        {t('analytics.help.searches')}
      </li>
    </ul>
  );
}

interface HelpDaysProps {
  days: HelpReport['days'];
  title: string;
  summary: string;
}

/** Views and searches of each day as bars. The newest days are in view. */
export function HelpDays({ days, title, summary }: HelpDaysProps) {
  const [measure, { width: available, isPaper }] = useWidth();
  const width = isPaper ? available : Math.max(available, days.length * minDayWidth + margin.left + margin.right);
  const scroller = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (scroller.current && width > available) scroller.current.scrollLeft = width;
  }, [width, available]);
  return (
    <>
      <Legend />
      <div ref={measure} style={{ minHeight: height }}>
        {available > 0 && (
          <div ref={scroller} className="overflow-x-auto overflow-y-hidden print:overflow-visible">
            <PlotImage width={width} height={height} label={`${title}. ${summary}`}>
              <Drawing days={days} width={width} />
            </PlotImage>
          </div>
        )}
      </div>
    </>
  );
}
