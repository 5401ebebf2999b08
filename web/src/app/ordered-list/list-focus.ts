import { useEffect, useRef, type RefObject } from 'react';

/**
 * An item that is opened starts at the top, for the eyes and for the keyboard. The list that is opened again starts at the item that was open.
 *
 * @param open the id of the open item; undefined for the list
 * @param addressOf the address to which the item's row links
 */
export function useStartAtTop(open: string | undefined, addressOf: (id: string) => string) {
  const panel = useRef<HTMLDivElement>(null);
  const shown = useRef(open);
  useEffect(() => {
    const before = shown.current;
    shown.current = open;
    if (!panel.current || before === open) return;
    const link = open === undefined && before && panel.current.querySelector<HTMLElement>(`a[href="${CSS.escape(addressOf(before))}"]`);
    if (link) return link.focus();
    panel.current.focus({ preventScroll: true });
    panel.current.scrollIntoView({ block: 'start' });
  }, [open, addressOf]);
  return panel;
}

/** The focus of a row that is deleted moves to the row that takes its place. */
export function useFocusAfterRemoval(panel: RefObject<HTMLElement | null>, ids: readonly string[]) {
  const idText = ids.join(' ');
  const shown = useRef(idText);
  useEffect(() => {
    const at = shown.current.split(' ').findIndex((id) => !idText.includes(id));
    shown.current = idText;
    if (at < 0) return;
    // After the menu of the row, which would return the focus to its button.
    const timer = setTimeout(() => {
      if (document.activeElement !== document.body || !panel.current) return;
      const links = panel.current.querySelectorAll<HTMLElement>('ol > li p:first-child > a');
      (links[Math.min(at, links.length - 1)] ?? panel.current).focus();
    });
    return () => clearTimeout(timer);
  }, [idText, panel]);
}
