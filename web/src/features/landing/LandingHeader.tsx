import { Menu, X } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { cn } from '../../lib/cn';
import { Button } from '../../ui/Button';
import { LogoMark } from '../../ui/Logo';
import { column } from './layout';
import type { Visitor } from './use-visitor';

const anchors = [
  { to: '#features', label: 'Features' },
  { to: '#pricing', label: 'Pricing' },
  { to: '#integration', label: 'Integration' },
  { to: '#support', label: 'Support' },
];

/** Fixed at the top. Below 768 px the section links are in a menu. `home` is the path of the page with the sections. */
export function LandingHeader({ visitor, home = '' }: { visitor: Visitor; home?: string }) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <header className="fixed inset-x-0 top-0 z-20 border-b bg-canvas" onKeyDown={(event) => event.key === 'Escape' && close()}>
      <div className={cn(column, 'flex h-14 items-center gap-6')}>
        <Link to="/" aria-label="Tandem" className="inline-flex items-center gap-2 rounded-md text-base font-semibold tracking-tight">
          <LogoMark className="size-7" />
          <span className="max-[22.5rem]:hidden">Tandem</span>
        </Link>
        <nav aria-label="Page" className="hidden flex-1 gap-1 md:flex">
          {anchors.map(({ to, label }) => (
            <a key={to} href={home + to} className="inline-flex h-9 items-center rounded-md px-3 text-md text-muted hover:text-ink">
              {label}
            </a>
          ))}
        </nav>
        <div className="ml-auto flex items-center gap-1 sm:gap-2">
          <Account visitor={visitor} />
          <Button
            variant="ghost"
            size="icon"
            className="md:hidden"
            aria-label={isOpen ? 'Close menu' : 'Open menu'}
            aria-expanded={isOpen}
            aria-controls="landing-menu"
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? <X aria-hidden /> : <Menu aria-hidden />}
          </Button>
        </div>
      </div>
      {isOpen && (
        <nav id="landing-menu" aria-label="Page" className={cn(column, 'flex flex-col border-t py-2 md:hidden')}>
          {anchors.map(({ to, label }) => (
            <a key={to} href={home + to} onClick={close} className="flex h-12 items-center text-base text-ink">
              {label}
            </a>
          ))}
        </nav>
      )}
    </header>
  );
}

function Account({ visitor }: { visitor: Visitor }) {
  if (visitor === 'signed-in') {
    return (
      <Button asChild variant="primary" className="h-9">
        <Link to="/dashboard">Dashboard</Link>
      </Button>
    );
  }
  // While the session is loading, reserve the space but hide the buttons: showing the wrong button briefly would be worse.
  return (
    <div className={cn('flex items-center gap-1 sm:gap-2', visitor === 'asking' && 'invisible')}>
      <Button asChild variant="ghost" className="h-9 px-2 sm:px-3">
        <Link to="/auth">Sign In</Link>
      </Button>
      <Button asChild variant="primary" className="h-9">
        <Link to="/auth?tab=sign-up">Start Free Trial</Link>
      </Button>
    </div>
  );
}
