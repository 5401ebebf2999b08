import { useCallback, useState, type RefCallback } from 'react';
import { flushSync } from 'react-dom';

/** The width in pixels of an A4 page in portrait without its margins. */
const paperWidth = 680;

interface Width {
  width: number;
  isPaper: boolean;
}

/**
 * The width of an element, measured before the first paint: 0 until then. While printing, it is the width of the paper, because browsers
 * lay out the paper without running scripts.
 */
export function useWidth(): [RefCallback<HTMLElement>, Width] {
  const [width, setWidth] = useState<Width>({ width: 0, isPaper: false });
  const measured = useCallback((element: HTMLElement | null) => {
    if (!element) return undefined;
    const measure = () =>
      setWidth((last) => (last.width === element.clientWidth && !last.isPaper ? last : { width: element.clientWidth, isPaper: false }));
    const fitPaper = () => flushSync(() => setWidth({ width: paperWidth, isPaper: true }));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    window.addEventListener('beforeprint', fitPaper);
    window.addEventListener('afterprint', measure);
    return () => {
      observer.disconnect();
      window.removeEventListener('beforeprint', fitPaper);
      window.removeEventListener('afterprint', measure);
    };
  }, []);
  return [measured, width];
}
