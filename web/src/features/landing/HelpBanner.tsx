import { cn } from '../../lib/cn';
import { column } from './layout';
import { PortalEntry } from './PortalEntry';

const link =
  'inline-flex min-h-8 items-center font-medium text-accent-text underline decoration-accent-line underline-offset-4 hover:decoration-current touch:min-h-10';

/** For visitors who are customers of a team that uses Tandem. */
export const HelpBanner = () => (
  <aside aria-label="Help with a ticket" className="border-b bg-sunken">
    <div className={cn(column, 'flex flex-wrap items-center gap-x-6 py-1.5 text-md')}>
      <p className="mr-auto text-muted max-sm:w-full max-sm:pt-1">Need help with a ticket?</p>
      <PortalEntry to="/ticket-status/check" className={link}>
        Check Ticket Status
      </PortalEntry>
      <PortalEntry to="/submit-ticket" className={link}>
        Submit Support Ticket
      </PortalEntry>
    </div>
  </aside>
);
