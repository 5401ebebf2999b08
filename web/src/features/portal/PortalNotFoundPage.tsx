import { Compass } from 'lucide-react';
import { Link } from 'react-router-dom';
import { Button } from '../../ui/Button';
import { useTexts } from './language/texts';
import { PortalFrame } from './PortalFrame';
import { PortalOutcome } from './PortalOutcome';

/** Shown for an unknown path on an organization's host. */
export function PortalNotFoundPage() {
  const t = useTexts();
  return (
    <PortalFrame title={t('not_found.page')}>
      <PortalOutcome
        icon={Compass}
        title={t('not_found.title')}
        actions={
          <Button asChild variant="primary" size="lg" className="h-11">
            <Link to="/">{t('not_found.home')}</Link>
          </Button>
        }
      >
        {t('not_found.text')}
      </PortalOutcome>
    </PortalFrame>
  );
}
