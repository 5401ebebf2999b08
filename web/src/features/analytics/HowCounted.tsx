import { metricDefinitions, type MetricName } from '@tandem/contracts/values';
import { Info } from 'lucide-react';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { t } from '../../lib/staff-texts';
import type { HoverProps } from './hover-props';

const load = () => import('./HowCountedPopup');
const preload = () => void load();
const HowCountedPopup = lazy(() => load().then((module) => ({ default: module.HowCountedPopup })));

/** Longer than a pointer takes to cross the button. */
const hoverMs = 200;

/** Opens on click, and while a mouse rests on the button or on the popup. A click on the button then leaves it open. */
function useHover() {
  const [open, setOpen] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  /** Whether the mouse opened the popover. Then it moves the focus neither when it opens nor when it closes. */
  const isHovered = useRef(false);
  useEffect(() => () => clearTimeout(timer.current), []);
  const later = (next: boolean) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      if (next) isHovered.current = true;
      setOpen(next);
    }, hoverMs);
  };
  const hover: HoverProps = {
    onPointerEnter: ({ pointerType }) => {
      if (pointerType === 'mouse' && (!open || isHovered.current)) later(true);
    },
    onPointerLeave: () => {
      clearTimeout(timer.current);
      if (isHovered.current) later(false);
    },
  };
  const close = () => {
    clearTimeout(timer.current);
    setOpen(false);
  };
  const onClick = () => {
    clearTimeout(timer.current);
    setOpen(!open || isHovered.current);
    isHovered.current = false;
  };
  return { open, close, hover, onClick, isHovered: () => isHovered.current };
}

/** Explains how a figure is counted. The popup's code is not part of the first screen: it is loaded when the user points at the button. */
export function HowCounted({ metric }: { metric: MetricName }) {
  const button = useRef<HTMLButtonElement>(null);
  const { open, close, hover, onClick, isHovered } = useHover();
  const [isWanted, setIsWanted] = useState(false);
  if (open && !isWanted) setIsWanted(true);
  return (
    <>
      <button
        ref={button}
        type="button"
        onClick={onClick}
        onPointerEnter={(event) => {
          preload();
          hover.onPointerEnter(event);
        }}
        onPointerLeave={hover.onPointerLeave}
        onFocus={preload}
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-label={t('analytics.how_is_figure_counted', { figure: metricDefinitions[metric].label })}
        className="grid size-6 shrink-0 place-items-center rounded-md text-faint hover:bg-hover hover:text-ink touch:size-9 print:hidden"
      >
        <Info className="size-3.5" aria-hidden />
      </button>
      {isWanted && (
        <Suspense fallback={null}>
          <HowCountedPopup metric={metric} anchor={button} open={open} onClose={close} hover={hover} isHovered={isHovered} />
        </Suspense>
      )}
    </>
  );
}
