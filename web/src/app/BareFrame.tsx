import { LogOut } from 'lucide-react';
import { Suspense, useState } from 'react';
import { Outlet } from 'react-router-dom';
import { t } from '../lib/staff-texts';
import { Button } from '../ui/Button';
import { LogoMark } from '../ui/Logo';
import { PageHeaderSlot } from '../ui/PageHeader';
import { PageSkeleton } from '../ui/PageSkeletons';
import { useSignOut } from './session-store';

/** Frame for users who can only open their account page: no navigation and no live events. */
export function BareFrame() {
  const [slot, setSlot] = useState<HTMLElement | null>(null);
  const signOut = useSignOut();
  return (
    <PageHeaderSlot value={slot}>
      <div className="flex h-dvh flex-col overflow-hidden bg-surface">
        <header className="flex h-12 shrink-0 items-center gap-2.5 border-b px-4 max-md:px-3">
          <LogoMark className="size-6 shrink-0" />
          <div ref={setSlot} className="flex min-w-0 flex-1 items-center gap-3" />
          <Button variant="ghost" onClick={() => void signOut()}>
            <LogOut aria-hidden />
            {t('app.sign_out')}
          </Button>
        </header>
        <main id="content" tabIndex={-1} className="flex min-h-0 flex-1 flex-col">
          <Suspense fallback={<PageSkeleton />}>
            <Outlet />
          </Suspense>
        </main>
      </div>
    </PageHeaderSlot>
  );
}
