import { docsPageNames, docsPages } from '@tandem/contracts/values';
import { ChevronDown, Moon, Sun } from 'lucide-react';
import { Suspense, useState } from 'react';
import { Link, NavLink, Outlet, useLocation } from 'react-router-dom';
import { cn } from '../../lib/cn';
import { readSite } from '../../lib/site';
import { chooseTheme, useIsDark } from '../../lib/theme';
import { Button } from '../../ui/Button';
import { Logo } from '../../ui/Logo';
import { Spinner } from '../../ui/Spinner';

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
        {!isPortal && <Sidebar key={pathname} />}
        <main id="content" tabIndex={-1} className={cn('min-w-0 flex-1 py-6 md:py-10 print:py-0', isPortal && 'mx-auto max-w-5xl')}>
          <Suspense fallback={<Spinner className="m-auto" />}>
            <Outlet />
          </Suspense>
        </main>
      </div>
    </div>
  );
}

function ThemeButton() {
  const isDark = useIsDark();
  const other = isDark ? 'light' : 'dark';
  return (
    <Button variant="ghost" size="icon" aria-label={`Switch to ${other} mode`} onClick={() => chooseTheme(other)}>
      {isDark ? <Sun aria-hidden /> : <Moon aria-hidden />}
    </Button>
  );
}

const groups = [...new Set(docsPageNames.map((name) => docsPages[name].group))];

/** All pages. On phones the list opens with a button, so that it does not push the content down. */
function Sidebar() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <nav
      aria-label="Documentation"
      className="shrink-0 border-b max-md:-mx-4 max-md:px-4 max-md:py-2 max-md:sm:-mx-6 max-md:sm:px-6 md:sticky md:top-14 md:h-[calc(100dvh-3.5rem)] md:w-52 md:overflow-y-auto md:border-b-0 md:py-10 print:hidden"
    >
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
        className="flex min-h-10 w-full items-center justify-between rounded-md text-md font-medium md:hidden"
      >
        All pages
        <ChevronDown className={cn('size-4 transition-transform', isOpen && 'rotate-180')} aria-hidden />
      </button>
      <div className={cn('flex flex-col gap-6 max-md:pt-2 max-md:pb-3', !isOpen && 'max-md:hidden')}>
        {groups.map((group) => (
          <section key={group} aria-label={group}>
            <p className="mb-1.5 px-3 text-md font-semibold">{group}</p>
            <ul className="flex flex-col gap-0.5">
              {docsPageNames
                .filter((name) => docsPages[name].group === group)
                .map((name) => (
                  <li key={name}>
                    <NavLink
                      to={`/docs/${name}`}
                      className={({ isActive }) =>
                        cn(
                          'flex min-h-8 items-center rounded-md px-3 text-md touch:min-h-10',
                          isActive ? 'bg-accent-soft font-medium text-accent-text' : 'text-muted hover:bg-hover hover:text-ink',
                        )
                      }
                    >
                      {docsPages[name].title}
                    </NavLink>
                  </li>
                ))}
            </ul>
          </section>
        ))}
      </div>
    </nav>
  );
}
