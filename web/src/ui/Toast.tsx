import { lazy, Suspense, useEffect, useState } from 'react';
import { loadToasts, toastsMounted, useToastsAsked } from '../lib/notify';
import { useIsDark } from '../lib/theme';

const Toaster = lazy(() => loadToasts().then((sonner) => ({ default: sonner.Toaster })));
const idleAfterMs = 3_000;

/** Its effect runs after the toaster's own: from here on toasts are shown. */
function Mounted() {
  useEffect(toastsMounted, []);
  return null;
}

/** Where toasts appear: below the top bar, where they cover no button that is needed next. It comes when the page has time, or with the first toast. */
export function Toasts() {
  const dark = useIsDark();
  const asked = useToastsAsked();
  const [idle, setIdle] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIdle(true), idleAfterMs);
    return () => clearTimeout(timer);
  }, []);
  if (!asked && !idle) return null;
  return (
    <Suspense fallback={null}>
      <Toaster
        theme={dark ? 'dark' : 'light'}
        position="top-center"
        offset={56}
        mobileOffset={56}
        gap={8}
        containerAriaLabel="Notifications"
      />
      <Mounted />
    </Suspense>
  );
}
