import type { HelpReport } from '@tandem/contracts';
import { useId } from 'react';
import { longDayText, shortDayText } from '../../lib/metric-format';
import { t } from '../../lib/staff-texts';
import { CountAxis, NameAxis } from './charts/axis';
import { BarLegend, DayScroller } from './charts/DayBars';
import { PlotImage } from './charts/PlotImage';
import { bandScale, linearScale } from './charts/scale';
import { Stripes } from './charts/Stripes';

const margin = { left: 34, right: 6, top: 8 };
const barsHeight = 150;
const height = margin.top + barsHeight + 24;
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

interface HelpDaysProps {
  days: HelpReport['days'];
  title: string;
  summary: string;
}

/** Views and searches of each day as bars. */
export const HelpDays = ({ days, title, summary }: HelpDaysProps) => (
  <>
    <BarLegend solid={t('analytics.help.views')} striped={t('analytics.help.searches')} />
    <DayScroller count={days.length} margins={margin.left + margin.right} height={height}>
      {(width) => (
        <PlotImage width={width} height={height} label={`${title}. ${summary}`}>
          <Drawing days={days} width={width} />
        </PlotImage>
      )}
    </DayScroller>
  </>
);
