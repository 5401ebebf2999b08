import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { readSite } from '../../lib/site';

interface PortalEntryProps {
  to: '/submit-ticket' | '/ticket-status/check';
  className: string;
  children: ReactNode;
}

/** From the product's own page to a portal: that of the site's organization, or the page that asks for the visitor's team. */
export function PortalEntry({ to, className, children }: PortalEntryProps) {
  const { portal } = readSite();
  return portal ? (
    <a href={portal + to} className={className}>
      {children}
    </a>
  ) : (
    <Link to={to} state={{ asksTeam: true }} className={className}>
      {children}
    </Link>
  );
}
