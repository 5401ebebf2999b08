import { lazy, Suspense, useEffect, useState } from 'react';
import { loadToasts, toastsMounted, useToastsAsked } from '../lib/notify';
import { useIsDark } from '../lib/theme';

const Toaster = lazy(() => loadToasts().then((sonner) => ({ default: sonner.Toaster })));
const idleAfterMs = 3_000;

/** Effects run in order, so this one runs after the toaster's own: from then on toasts are shown. */
function Mounted() {
  useEffect(toastsMounted, []);
  return null;
}

/** The toaster, below the top bar where it covers no buttons that are likely needed next. Mounted when idle, or with the first toast. */
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
