import { Suspense } from 'react';
import { Link, NavLink, Outlet } from 'react-router-dom';
import { cn } from '../../lib/cn';
import { Logo } from '../../ui/Logo';
import { Spinner } from '../../ui/Spinner';

/** Only pages that exist are listed here, so there are no dead links. */
const pages = [
  { to: '/docs/widget-setup', label: 'Widget setup' },
  { to: '/docs/clickup-setup', label: 'ClickUp setup' },
  { to: '/docs/admin-guide', label: 'Admin guide' },
  { to: '/docs/build', label: 'Build with Tandem' },
  { to: '/docs/api-reference', label: 'API reference' },
];

/** The documentation is public and loads no code of the staff app. */
export function DocsLayout() {
  return (
    <div className="min-h-dvh bg-canvas text-base">
      <a
        href="#content"
        className="sr-only z-50 rounded-md bg-accent px-3 py-2 text-accent-ink focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        Skip to content
      </a>
      <header className="border-b bg-surface print:hidden">
        <div className="mx-auto flex h-14 max-w-6xl items-center gap-3 px-4 sm:px-6">
          <Link to="/" aria-label="Tandem" className="flex rounded-md">
            <Logo />
          </Link>
          <span className="text-md text-muted">Documentation</span>
        </div>
      </header>
      <div className="mx-auto flex max-w-6xl gap-x-10 px-4 py-8 max-md:flex-col max-md:gap-y-6 sm:px-6">
        <nav aria-label="Documentation" className="shrink-0 md:w-48 print:hidden">
          <ul className="flex flex-col gap-0.5">
            {pages.map(({ to, label }) => (
              <li key={to}>
                <NavLink
                  to={to}
                  className={({ isActive }) =>
                    cn(
                      'flex min-h-9 items-center rounded-md px-3 text-md',
                      isActive ? 'bg-hover font-medium text-ink' : 'text-muted hover:text-ink',
                    )
                  }
                >
                  {label}
                </NavLink>
              </li>
            ))}
          </ul>
        </nav>
        <main id="content" tabIndex={-1} className="min-w-0 max-w-3xl flex-1">
          <Suspense fallback={<Spinner className="m-auto" />}>
            <Outlet />
          </Suspense>
        </main>
      </div>
    </div>
  );
}
