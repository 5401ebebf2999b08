import { useEffect, useState } from 'react';
import { Toaster as Sonner, useSonner } from 'sonner';
import { toastsMounted } from '../lib/notify';
import { useIsDark } from '../lib/theme';
import { uiText } from '../lib/ui-texts';

const marginPx = 16;
const widthPx = 356;
/** Interval at which the position is computed while toasts are shown: a composer grows while the user types. */
const checkMs = 250;

/** The height at the bottom of elements that toasts must not cover: composers, action bars, the navigation on phones. */
function reservedPx(): number {
  const left = window.innerWidth - marginPx - widthPx;
  const heights = [...document.querySelectorAll('[data-above-toasts]')].map((element) => {
    const { top, right, height } = element.getBoundingClientRect();
    return height > 0 && right > left && top < window.innerHeight ? window.innerHeight - top : 0;
  });
  // An element that fills the page is covered rather than moving toasts off the screen.
  return Math.max(0, ...heights.filter((each) => each < window.innerHeight * 0.7));
}

function useReserved(isShown: boolean): number {
  const [reserved, setReserved] = useState(reservedPx);
  useEffect(() => {
    if (!isShown) return;
    const check = () => setReserved(reservedPx());
    const first = requestAnimationFrame(check);
    const timer = setInterval(check, checkMs);
    return () => {
      cancelAnimationFrame(first);
      clearInterval(timer);
    };
  }, [isShown]);
  return reserved;
}

/**
 * The toasts: bottom right, on phones at the bottom, above the elements with `data-above-toasts`. Loaded when idle, or with the first
 * toast.
 */
export function Toaster() {
  const dark = useIsDark();
  const { toasts } = useSonner();
  const bottom = useReserved(toasts.length > 0) + marginPx;
  // After the effect of Sonner's own component, a child: from then on toasts are shown.
  useEffect(toastsMounted, []);
  return (
    <Sonner
      theme={dark ? 'dark' : 'light'}
      position="bottom-right"
      offset={{ bottom, right: marginPx }}
      mobileOffset={{ bottom, left: marginPx, right: marginPx }}
      gap={8}
      containerAriaLabel={uiText('notifications')}
    />
  );
}
