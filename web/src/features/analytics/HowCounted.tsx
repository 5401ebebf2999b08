import { metricDefinitions, type MetricName } from '@tandem/contracts/values';
import { Info } from 'lucide-react';
import { Popover as Radix } from 'radix-ui';
import { useEffect, useRef, useState, type MouseEvent } from 'react';
import { Link } from 'react-router-dom';

/** Longer than a pointer takes to cross the button. */
const hoverMs = 200;

/** Opens on click, and while a mouse rests on the button or on the popover. A click on the button then leaves it open. */
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
  const onPointerEnter = ({ pointerType }: { pointerType: string }) => {
    if (pointerType === 'mouse' && (!open || isHovered.current)) later(true);
  };
  const onPointerLeave = () => {
    clearTimeout(timer.current);
    if (isHovered.current) later(false);
  };
  return {
    open,
    onOpenChange: (next: boolean) => {
      clearTimeout(timer.current);
      if (next) isHovered.current = false;
      setOpen(next);
    },
    hover: { onPointerEnter, onPointerLeave },
    onClick: (event: MouseEvent) => {
      clearTimeout(timer.current);
      if (!open || !isHovered.current) return;
      isHovered.current = false;
      event.preventDefault();
    },
    onAutoFocus: (event: Event) => isHovered.current && event.preventDefault(),
  };
}

/** The definition of a figure, with the same text as in the administrator's guide. */
export function HowCounted({ metric }: { metric: MetricName }) {
  const { open, onOpenChange, hover, onClick, onAutoFocus } = useHover();
  const { label, definition } = metricDefinitions[metric];
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Trigger
        {...hover}
        onClick={onClick}
        aria-label={`How is this counted? ${label}`}
        className="grid size-6 shrink-0 place-items-center rounded-md text-faint hover:bg-hover hover:text-ink touch:size-9 print:hidden"
      >
        <Info className="size-3.5" aria-hidden />
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          {...hover}
          aria-label={`How is this counted? ${label}`}
          align="start"
          sideOffset={4}
          collisionPadding={8}
          onOpenAutoFocus={onAutoFocus}
          onCloseAutoFocus={onAutoFocus}
          className="z-50 w-72 animate-pop rounded-lg border border-line-strong bg-raised p-3 shadow-overlay"
        >
          <p className="font-medium">{label}</p>
          <p className="mt-1 text-pretty text-muted">{definition}</p>
          <Link to={`/docs/admin-guide#${metric}`} className="mt-2 inline-block font-medium text-accent-text underline underline-offset-2">
            How we count
          </Link>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
