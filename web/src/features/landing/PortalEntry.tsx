import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { readSite } from '../../lib/site';

interface PortalEntryProps {
  to: '/submit-ticket' | '/ticket-status/check';
  className: string;
  children: ReactNode;
}

/** Links from the product's page to a portal: the one of this site's organization, or a page that asks for the visitor's team. */
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
