import type { WebhookHealth } from '@tandem/contracts';
import { formatDate } from '../../../lib/dates';
import { t } from '../../../lib/staff-texts';
import { sparklineText } from './endpoint-labels';

const height = 32;
const step = 7;
const bar = 5;
const least = 3;

/** Delivered and failed per hour. Readable without color: deliveries are above the line, failures below it. */
export function Sparkline({ health }: { health: WebhookHealth }) {
  const { hours } = health;
  const most = Math.max(1, ...hours.map(({ delivered, failed }) => Math.max(delivered, failed)));
  const size = (count: number) => (count === 0 ? 0 : Math.max(least, (count / most) * (height / 2 - 1)));
  const middle = height / 2;
  return (
    <svg
      role="img"
      aria-label={sparklineText(health)}
      viewBox={`0 0 ${hours.length * step} ${height}`}
      width={hours.length * step}
      height={height}
      className="max-w-full"
    >
      <line x1={0} x2={hours.length * step} y1={middle} y2={middle} className="stroke-line-strong" strokeWidth={1} />
      {hours.map(({ hour, delivered, failed }, index) => (
        <g key={hour}>
          <title>{t('settings.webhooks.deliveries_of_day', { date: formatDate(hour), delivered, failed })}</title>
          <rect x={index * step} y={0} width={step} height={height} fill="transparent" />
          <rect
            x={index * step + 1}
            y={middle - size(delivered)}
            width={bar}
            height={size(delivered)}
            rx={1}
            className="fill-green-solid"
          />
          <rect x={index * step + 1} y={middle} width={bar} height={size(failed)} rx={1} className="fill-red-solid" />
        </g>
      ))}
    </svg>
  );
}
