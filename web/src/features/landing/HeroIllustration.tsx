import { ArrowLeftRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { PriorityMark, StatusBadge } from '../../lib/ticket-badges';

/** Illustration of the product: a ticket and its task as the two riders of a tandem. */
export function HeroIllustration() {
  return (
    <div role="img" aria-label="A ticket linked to its task: both are In Progress" className="mx-auto w-full max-w-[38rem] select-none">
      <div className="relative z-10 -mb-[11%] grid grid-cols-2 gap-3 sm:gap-6">
        <Rider kind="Ticket" name="NC-0042" mark={<PriorityMark priority="high" />} by="Jonas Weber">
          “I see two charges on my card. The order page shows only one.”
        </Rider>
        <Rider kind="Task" name="Billing" mark={<PriorityMark priority="high" />} by="Ada Okafor">
          Check with the bank, then refund the second charge.
        </Rider>
      </div>
      <div className="relative">
        <Wheels />
        <span className="absolute top-[53.9%] left-1/2 inline-flex h-8 -translate-x-1/2 -translate-y-1/2 items-center gap-1.5 rounded-md border border-accent-line bg-accent-soft px-2.5 text-sm font-medium whitespace-nowrap text-accent-text">
          <ArrowLeftRight className="size-3.5" aria-hidden />
          In sync
        </span>
      </div>
    </div>
  );
}

interface RiderProps {
  kind: string;
  name: string;
  mark?: ReactNode;
  by: string;
  children: ReactNode;
}
const Rider = ({ kind, name, mark, by, children }: RiderProps) => (
  <div className="flex min-w-0 flex-col rounded-xl border border-line-strong bg-surface">
    <p className="flex items-center gap-1.5 border-b px-3 py-2 text-xs text-muted sm:px-4 sm:text-sm">
      <span className="font-semibold text-ink">{kind}</span>
      <span className="tabular truncate">{name}</span>
      <span className="ml-auto">{mark}</span>
    </p>
    <div className="flex flex-1 flex-col px-3 pt-3 pb-4 sm:px-4 sm:pt-4 sm:pb-5">
      <p className="text-md leading-snug font-semibold text-balance sm:text-lg sm:leading-snug">Charged twice for one order</p>
      <p className="mt-1.5 truncate text-xs text-muted sm:text-sm">{by}</p>
      <p className="mt-3 mb-4 flex-1 text-md text-pretty text-muted max-sm:hidden">{children}</p>
      <p className="max-sm:mt-3">
        <StatusBadge status="in_progress" />
      </p>
    </div>
  </div>
);

const wheels = [132, 428];
const hub = 118;
const rim = 100;
const spokes = Array.from({ length: 20 }, (_, index) => (index * Math.PI) / 10);

const Wheels = () => (
  <svg viewBox="0 0 560 219" fill="none" className="block w-full" aria-hidden>
    {wheels.map((x) => (
      <g key={x} className="stroke-line-strong">
        <circle cx={x} cy={hub} r={rim} strokeWidth="1.5" />
        <circle cx={x} cy={hub} r={rim - 9} strokeWidth="1" />
        {spokes.map((angle) => (
          <line
            key={angle}
            x1={x + 30 * Math.cos(angle)}
            y1={hub + 30 * Math.sin(angle)}
            x2={x + (rim - 9) * Math.cos(angle + 0.22)}
            y2={hub + (rim - 9) * Math.sin(angle + 0.22)}
            strokeWidth="0.75"
          />
        ))}
        <circle cx={x} cy={hub} r="30" className="fill-canvas" strokeWidth="1.5" />
      </g>
    ))}
    <rect
      x={wheels[0]! - 24}
      y={hub - 24}
      width={wheels[1]! - wheels[0]! + 48}
      height="48"
      rx="24"
      className="stroke-accent"
      strokeWidth="4"
      strokeLinecap="round"
      strokeDasharray="0.1 8.6"
    />
    {wheels.map((x) => (
      <circle key={x} cx={x} cy={hub} r="6" className="fill-accent" />
    ))}
  </svg>
);
