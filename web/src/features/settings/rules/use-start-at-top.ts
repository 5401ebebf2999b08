import { useEffect, useRef } from 'react';
import { ruleAddress } from './use-rules-address';

/**
 * A rule that is opened starts at the top, for the eyes and for the keyboard. The list that is opened again starts at the rule that was open.
 *
 * @param open the open rule; undefined for the list
 */
export function useStartAtTop(open: string | undefined) {
  const panel = useRef<HTMLDivElement>(null);
  const shown = useRef(open);
  useEffect(() => {
    const before = shown.current;
    shown.current = open;
    if (!panel.current || before === open) return;
    const link = open === undefined && before && panel.current.querySelector<HTMLElement>(`a[href="${CSS.escape(ruleAddress(before))}"]`);
    if (link) return link.focus();
    panel.current.focus({ preventScroll: true });
    panel.current.scrollIntoView({ block: 'start' });
  }, [open]);
  return panel;
}
