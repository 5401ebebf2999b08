import { metricDefinitions, type MetricName } from '@tandem/contracts/values';
import { Popover as Radix } from 'radix-ui';
import type { RefObject } from 'react';
import { Link } from 'react-router-dom';
import { t } from '../../lib/staff-texts';
import type { HoverProps } from './hover-props';

interface HowCountedPopupProps {
  metric: MetricName;
  anchor: RefObject<HTMLButtonElement | null>;
  open: boolean;
  onClose: () => void;
  hover: HoverProps;
  /** Whether the mouse opened it: then the focus stays where it is. */
  isHovered: () => boolean;
}

/** The definition of a figure, with the same text as in the administrator's guide. */
export function HowCountedPopup({ metric, anchor, open, onClose, hover, isHovered }: HowCountedPopupProps) {
  const { label, definition } = metricDefinitions[metric];
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Radix.Anchor virtualRef={anchor} />
      <Radix.Portal>
        <Radix.Content
          {...hover}
          aria-label={t('analytics.how_is_figure_counted', { figure: label })}
          align="start"
          sideOffset={4}
          collisionPadding={8}
          onOpenAutoFocus={(event) => isHovered() && event.preventDefault()}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (!isHovered()) anchor.current?.focus();
          }}
          // A click on the button closes it as well: closing it here first would make that click open it again.
          onInteractOutside={(event) => anchor.current?.contains(event.target as Node) && event.preventDefault()}
          className="z-50 w-72 animate-pop rounded-lg border border-line-strong bg-raised p-3 shadow-overlay"
        >
          <p className="font-medium">{label}</p>
          <p className="mt-1 text-pretty text-muted">{definition}</p>
          <Link to={`/docs/admin-guide#${metric}`} className="mt-2 inline-block font-medium text-accent-text underline underline-offset-2">
            {t('analytics.how_we_count')}
          </Link>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
