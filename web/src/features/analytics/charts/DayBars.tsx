import { useId, useLayoutEffect, useRef, type ReactNode } from 'react';
import { Stripes } from './Stripes';
import { useWidth } from './use-width';

/** The names of the two bars of each day. */
export function BarLegend({ solid, striped }: { solid: string; striped: string }) {
  const stripes = useId();
  return (
    <ul className="mb-1 flex gap-4 text-xs text-muted [print-color-adjust:exact]">
      <li className="flex items-center gap-1.5">
        <span aria-hidden className="size-2.5 rounded-xs bg-accent" />
        {solid}
      </li>
      <li className="flex items-center gap-1.5">
        <svg aria-hidden className="size-2.5 rounded-xs">
          <Stripes id={stripes} />
          <rect width="100%" height="100%" fill={`url(#${stripes})`} />
        </svg>
        {striped}
      </li>
    </ul>
  );
}

/** Narrower days are hard to distinguish, so the chart scrolls instead. */
const minDayWidth = 7;

interface DayScrollerProps {
  /** The number of days. */
  count: number;
  /** Width of the margins at both sides, in pixels. */
  margins: number;
  height: number;
  children: (width: number, isScrolling: boolean) => ReactNode;
}

/** A chart with a mark per day, as wide as there is room, and wider if there are many days. The newest days are in view. */
export function DayScroller({ count, margins, height, children }: DayScrollerProps) {
  const [measure, { width: available, isPaper }] = useWidth();
  const width = isPaper ? available : Math.max(available, count * minDayWidth + margins);
  const scroller = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    // Only if there is something to scroll: it makes the browser compute the layout immediately.
    if (scroller.current && width > available) scroller.current.scrollLeft = width;
  }, [width, available]);
  return (
    <div ref={measure} style={{ minHeight: height }}>
      {available > 0 && (
        <div ref={scroller} className="overflow-x-auto overflow-y-hidden print:overflow-visible">
          <div style={{ width }} className="print:w-full!">
            {children(width, width > available)}
          </div>
        </div>
      )}
    </div>
  );
}
