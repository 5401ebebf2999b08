import type { ReactNode } from 'react';
import { Card } from './Card';
import { Logo } from './Logo';

/** Layout for a page with a single decision and no navigation. */
export function BlankPage({ children }: { children: ReactNode }) {
  return (
    <main className="flex min-h-dvh flex-col items-center bg-canvas px-4 pt-[12vh] pb-12">
      <div className="w-full max-w-md">
        <div className="mb-8 flex justify-center">
          <Logo />
        </div>
        <Card className="p-6 sm:p-8">{children}</Card>
      </div>
    </main>
  );
}
