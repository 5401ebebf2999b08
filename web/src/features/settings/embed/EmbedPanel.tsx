import { Link } from 'react-router-dom';
import { useSession } from '../../../app/api';
import { t } from '../../../lib/staff-texts';
import { Alert } from '../../../ui/Alert';
import { Card, CardHeader } from '../../../ui/Card';
import { Rich } from '../../../ui/Rich';
import { AllowedSites } from './AllowedSites';
import { Snippet } from './Snippet';
import { VisitorIdentity } from './VisitorIdentity';

/** Widget snippet with copy buttons, allowed sites and visitor identity. */
export function EmbedPanel() {
  const { organization } = useSession();
  if (!organization?.subdomain) {
    return (
      <Alert>
        <Rich
          text={t('settings.embed.widget_needs_subdomain')}
          tags={{
            link: (inside) => (
              <Link to="/organization-settings" className="font-medium underline">
                {inside}
              </Link>
            ),
          }}
        />
      </Alert>
    );
  }
  return (
    <div className="flex flex-col gap-5">
      <Card aria-labelledby="widget-snippet">
        <CardHeader
          id="widget-snippet"
          title={t('settings.embed.website_widget')}
          actions={
            <Link to="/docs/widget-setup" className="text-accent-text underline underline-offset-2">
              {t('settings.embed.setup_guide')}
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
