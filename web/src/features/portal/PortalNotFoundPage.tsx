import { Compass } from 'lucide-react';
import { Link } from 'react-router-dom';
import { Button } from '../../ui/Button';
import { PortalFrame } from './PortalFrame';
import { PortalOutcome } from './PortalOutcome';

/** Shown for an unknown path on an organization's host. */
export const PortalNotFoundPage = () => (
  <PortalFrame title="Page not found">
    <PortalOutcome
      icon={Compass}
      title="Oops! Page not found"
      actions={
        <Button asChild variant="primary" size="lg" className="h-11">
          <Link to="/">Return to Home</Link>
        </Button>
      }
    >
      The address may be mistyped, or the page has moved.
    </PortalOutcome>
  </PortalFrame>
);
