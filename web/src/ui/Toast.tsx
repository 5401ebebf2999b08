import { lazy, Suspense, useEffect, useState } from 'react';
import { useToastsAsked } from '../lib/notify';

const Toaster = lazy(() => import('./Toaster').then((module) => ({ default: module.Toaster })));
const idleAfterMs = 3_000;

/** The toaster, mounted when idle or with the first toast. */
export function Toasts() {
  const asked = useToastsAsked();
  const [idle, setIdle] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIdle(true), idleAfterMs);
    return () => clearTimeout(timer);
  }, []);
  if (!asked && !idle) return null;
  return (
    <Suspense fallback={null}>
      <Toaster />
    </Suspense>
  );
}
