import { Link } from 'react-router-dom';
import { useSession } from '../../../app/api';
import { Alert } from '../../../ui/Alert';
import { Card, CardHeader } from '../../../ui/Card';
import { AllowedSites } from './AllowedSites';
import { Snippet } from './Snippet';
import { VisitorIdentity } from './VisitorIdentity';

/** Widget snippet with copy buttons, allowed sites and visitor identity. */
export function EmbedPanel() {
  const { organization } = useSession();
  if (!organization?.subdomain) {
    return (
      <Alert>
        The widget needs a subdomain.{' '}
        <Link to="/organization-settings" className="font-medium underline">
          Choose one in the organization settings
        </Link>
      </Alert>
    );
  }
  return (
    <div className="flex flex-col gap-5">
      <Card aria-labelledby="widget-snippet">
        <CardHeader
          id="widget-snippet"
          title="Website widget"
          actions={
            <Link to="/docs/widget-setup" className="text-accent-text underline underline-offset-2">
              Setup guide
            </Link>
          }
        />
        <Snippet organization={organization.subdomain} />
      </Card>
      <AllowedSites />
      <VisitorIdentity />
    </div>
  );
}
