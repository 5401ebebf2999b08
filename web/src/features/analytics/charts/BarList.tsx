import { useState, type CSSProperties, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { countText, percentText } from '../../../lib/metric-format';
import { t } from '../../../lib/staff-texts';
import { Button } from '../../../ui/Button';
import { Rich } from '../../../ui/Rich';
import { useCells } from './use-cells';

export interface BarItem {
  name: string;
  count: number;
  /** The tickets that it counts. */
  to: string;
  mark?: ReactNode;
  /** The sum of all that have no bar of their own. */
  isRest?: boolean;
}

function BarRow({ item: { name, count, mark }, total, most }: { item: BarItem; total: number; most: number }) {
  return (
    <>
      <span className="flex min-w-0 items-center gap-2">
        {mark}
        <span dir="auto" className="truncate max-sm:whitespace-normal" title={name}>
          {name}
          <span className="sr-only">: </span>
        </span>
      </span>
      <span aria-hidden className="h-2 rounded-xs bg-sunken [print-color-adjust:exact]">
        {count > 0 && <span className="block h-full min-w-0.5 rounded-xs bg-accent" style={{ width: `${(count / most) * 100}%` }} />}
      </span>
      <span className="tabular text-right whitespace-nowrap">
        <Rich text={t('analytics.charts.tickets_of_bar', { count })} tags={{ unit: (text) => <span className="sr-only">{text}</span> }} />
      </span>
      <span aria-hidden className="tabular text-right text-muted">
        {percentText(total === 0 ? null : (count / total) * 100)}
      </span>
    </>
  );
}

/** More bars are shown on demand. */
const fewBars = 8;

/** Horizontal bars with their names, counts and shares of the total. */
export function BarList({ items, total, title }: { items: BarItem[]; total: number; title: string }) {
  const [isWhole, setIsWhole] = useState(false);
  const shown = isWhole || items.length <= fewBars + 1 ? items : items.slice(0, fewBars);
  const { box, cell } = useCells(shown.length, 1);
  const most = Math.max(1, ...items.map(({ count }) => count));
  // The bars of all rows have the same space, so that their lengths can be compared.
  const longest = Math.max(1, ...items.map(({ name }) => name.length));
  const names = `calc(${longest}ch + ${items.some(({ mark }) => mark !== undefined) ? 2 : 0.5}rem)`;
  // Digits of equal width are wider than `ch`, the width of an ordinary 0.
  const widths = { '--counts': `calc(${countText(most).length}ch + 0.5rem)`, '--names': names } as CSSProperties;
  return (
    <div {...box}>
      <ul aria-label={title} style={widths} className="-mx-1.5 flex flex-col">
        {shown.map((item, index) => (
          <li key={item.to}>
            <Link
              {...cell(index, 0)}
              to={item.to}
              className="grid grid-cols-[min(38%,var(--names))_1fr_var(--counts)_3.25rem] items-center gap-3 rounded-sm max-sm:gap-2 px-1.5 py-1 hover:bg-hover touch:py-2"
            >
              <BarRow item={item} total={total} most={most} />
            </Link>
          </li>
        ))}
      </ul>
      {items.length > fewBars + 1 && (
        <Button variant="ghost" size="sm" aria-expanded={isWhole} onClick={() => setIsWhole(!isWhole)} className="mt-1 -ml-2 print:hidden">
          {isWhole ? t('analytics.charts.show_fewer') : t('analytics.charts.show_all', { count: items.length })}
        </Button>
      )}
    </div>
  );
}
