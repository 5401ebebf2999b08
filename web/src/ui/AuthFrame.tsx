import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { uiText } from '../lib/ui-texts';
import { Logo } from './Logo';

/** Layout of the sign-in pages. */
export function AuthFrame({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col bg-canvas">
      <header className="flex h-14 items-center px-4 sm:px-6">
        <Link to="/" className="-ms-2 inline-flex h-9 items-center gap-1.5 rounded-md px-2 text-muted hover:text-ink">
          <ArrowLeft className="size-4 rtl:-scale-x-100" aria-hidden />
          {uiText('back_home')}
        </Link>
      </header>
      <main className="flex flex-1 items-start justify-center px-4 pt-[6vh] pb-16">
        <div className="w-full max-w-[23rem]">
          <div className="mb-6 flex flex-col items-center gap-3 text-center">
            <Logo />
            <h1 className="text-lg font-semibold">{title}</h1>
          </div>
          {children}
        </div>
      </main>
    </div>
  );
}
