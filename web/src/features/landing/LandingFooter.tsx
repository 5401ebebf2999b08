import { useId } from 'react';
import { Link } from 'react-router-dom';
import { cn } from '../../lib/cn';
import { Button } from '../../ui/Button';
import { Input } from '../../ui/Input';
import { Logo } from '../../ui/Logo';
import { column } from './layout';

const links = [
  { to: '/compare', label: 'Compare' },
  { to: '/docs', label: 'Documentation' },
  { to: '/docs/api-reference', label: 'API reference' },
  { to: '/docs/admin-guide#security', label: 'Security' },
  { to: '/privacy', label: 'Privacy' },
  { to: '/status', label: 'Status' },
  { to: '/changelog', label: 'Changelog' },
];

const year = new Date().getFullYear();

export const LandingFooter = () => (
  <footer className="border-t">
    <div className={cn(column, 'grid gap-x-12 gap-y-10 py-14 md:grid-cols-[7fr_5fr]')}>
      <div>
        <Logo />
        <p className="mt-3 max-w-[36ch] text-base text-muted">The help desk that keeps every ticket in sync with a task.</p>
        <nav aria-label="Footer" className="mt-6">
          <ul className="flex flex-wrap gap-x-6">
            {links.map(({ to, label }) => (
              <li key={to}>
                <Link to={to} className="inline-flex min-h-11 items-center rounded-md text-base text-muted hover:text-ink">
                  {label}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      </div>
      <Newsletter />
    </div>
    <div className={column}>
      <p className="border-t py-6 text-md text-muted">© {year} Tandem</p>
    </div>
  </footer>
);

/** Newsletter box; submitting it does nothing yet. */
function Newsletter() {
  const id = useId();
  return (
    <form noValidate onSubmit={(event) => event.preventDefault()}>
      <label htmlFor={id} className="text-base font-semibold">
        Newsletter
      </label>
      <p id={`${id}-hint`} className="mt-1 text-base text-muted">
        What’s new in Tandem, once a month.
      </p>
      <div className="mt-4 flex gap-2">
        <Input id={id} size="lg" type="email" autoComplete="email" placeholder="Your email" aria-describedby={`${id}-hint`} />
        <Button size="lg">Subscribe</Button>
      </div>
    </form>
  );
}
