import { docsPageNames, docsPages } from '@tandem/contracts/values';
import { Moon, Sun } from 'lucide-react';
import { Suspense } from 'react';
import { Link, Outlet, useLocation } from 'react-router-dom';
import { cn } from '../../lib/cn';
import { readSite } from '../../lib/site';
import { chooseTheme, useIsDark } from '../../lib/theme';
import { Button } from '../../ui/Button';
import { Logo } from '../../ui/Logo';
import { SideNav } from '../../ui/SideNav';
import { Skeletons } from '../../ui/Skeleton';

/** The documentation is public and loads no code of the staff app. An organization's host has only the guide for its customers. */
export function DocsLayout() {
  const site = readSite();
  const isPortal = site.kind === 'portal';
  const { pathname } = useLocation();
  return (
    <div className="min-h-dvh bg-surface text-base print:bg-transparent">
      <a
        href="#content"
        className="sr-only z-50 rounded-md bg-accent px-3 py-2 text-accent-ink focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        Skip to content
      </a>
      <header className="sticky top-0 z-10 border-b bg-surface print:hidden">
        <div className="mx-auto flex h-14 max-w-7xl items-center gap-3 px-4 sm:px-6">
          <Link to="/" className="flex rounded-md font-semibold">
            {isPortal ? (site.organization?.name ?? 'Help center') : <Logo />}
          </Link>
          <span aria-hidden className="h-4 border-l" />
          <span className="flex-1 text-md text-muted">{isPortal ? 'Help' : 'Documentation'}</span>
          <ThemeButton />
        </div>
      </header>
      <div className="mx-auto flex max-w-7xl gap-x-12 px-4 max-md:flex-col sm:px-6">
        {!isPortal && (
          <SideNav
            label="Documentation"
            button="All pages"
            groups={groups}
            current={pathname}
            className="text-md max-md:-mx-4 max-md:px-4 max-md:sm:-mx-6 max-md:sm:px-6 md:sticky md:top-14 md:h-[calc(100dvh-3.5rem)] md:w-52 md:overflow-y-auto md:py-10"
          />
        )}
        <main id="content" tabIndex={-1} className={cn('min-w-0 flex-1 py-6 md:py-10 print:py-0', isPortal && 'mx-auto w-full max-w-5xl')}>
          <Suspense fallback={textSkeleton}>
            <Outlet />
          </Suspense>
        </main>
      </div>
    </div>
  );
}

/** A heading and paragraphs. */
const textSkeleton = (
  <Skeletons className="flex max-w-3xl flex-col gap-4" blocks={['mb-4 h-9 w-72 max-w-full', 'h-4 w-full', 'h-4 w-11/12', 'h-4 w-4/5']} />
);

/** Its name and icons are the same in every theme, because the HTML that comes with the page is. */
function ThemeButton() {
  const isDark = useIsDark();
  return (
    <Button
      variant="ghost"
      size="icon"
      aria-label="Switch between light and dark mode"
      onClick={() => chooseTheme(isDark ? 'light' : 'dark')}
    >
      <Sun aria-hidden className="hidden dark:block" />
      <Moon aria-hidden className="dark:hidden" />
    </Button>
  );
}

const groups = [...new Set(docsPageNames.map((name) => docsPages[name].group))].map((title) => ({
  title,
  links: docsPageNames
    .filter((name) => docsPages[name].group === title)
    .map((name) => ({ to: `/docs/${name}`, label: docsPages[name].title })),
}));
