import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { cn } from '../lib/cn';

interface SideNavProps {
  /** Accessible name of the navigation. */
  label: string;
  /** Text of the button that opens the list on phones. */
  button: string;
  groups: readonly { title: string; links: readonly { to: string; label: string }[] }[];
  /** Address of the open page, as in `groups`. */
  current: string | undefined;
  /** Size and position next to the content. */
  className?: string;
}

/** Grouped links next to a page. On phones the list opens with a button, so that it does not push the content down. */
export function SideNav({ label, button, groups, current, className }: SideNavProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <nav aria-label={label} className={cn('shrink-0 max-md:border-b max-md:py-2 print:hidden', className)}>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
        className="flex min-h-10 w-full items-center justify-between rounded-md font-medium md:hidden"
      >
        {button}
        <ChevronDown className={cn('size-4 transition-transform', isOpen && 'rotate-180')} aria-hidden />
      </button>
      <div className={cn('flex flex-col gap-6 max-md:pt-2 max-md:pb-3', !isOpen && 'max-md:hidden')}>
        {groups.map(({ title, links }) => (
          <div key={title} role="group" aria-label={title}>
            <p className="mb-1 px-3 text-xs font-medium text-faint">{title}</p>
            <ul className="flex flex-col gap-0.5">
              {links.map(({ to, label }) => (
                <li key={to}>
                  <Link
                    to={to}
                    aria-current={to === current ? 'page' : undefined}
                    onClick={() => setIsOpen(false)}
                    className={cn(
                      'flex min-h-8 items-center rounded-md px-3 touch:min-h-10',
                      to === current ? 'bg-accent-soft font-medium text-accent-text' : 'text-muted hover:bg-hover hover:text-ink',
                    )}
                  >
                    {label}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </nav>
  );
}
