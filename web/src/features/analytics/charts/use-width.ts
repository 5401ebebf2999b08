import { useLayoutEffect, useState } from 'react';
import { flushSync } from 'react-dom';

/** The width in pixels of an A4 page in portrait without its margins. */
const paperWidth = 680;

interface Width {
  width: number;
  isPaper: boolean;
}

/**
 * The width of an element, measured before the first paint: 0 until then. While printing it is that of paper, because browsers lay out the
 * paper without running scripts.
 */
export function useWidth(): [(element: HTMLElement | null) => void, Width] {
  const [element, setElement] = useState<HTMLElement | null>(null);
  const [width, setWidth] = useState<Width>({ width: 0, isPaper: false });
  useLayoutEffect(() => {
    if (!element) return;
    const measure = () => setWidth({ width: element.clientWidth, isPaper: false });
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
  }, [element]);
  return [setElement, width];
}
