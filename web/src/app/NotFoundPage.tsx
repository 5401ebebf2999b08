import { Link } from 'react-router-dom';
import { t } from '../lib/staff-texts';
import { Button } from '../ui/Button';
import { Logo } from '../ui/Logo';
import { useDocumentTitle } from '../ui/PageHeader';

export function NotFoundPage() {
  useDocumentTitle(t('app.page_not_found'));
  return (
    <main className="grid min-h-dvh place-items-center bg-canvas p-6">
      <div className="text-center">
        <div className="mb-8">
          <Logo />
        </div>
        <p className="tabular text-sm font-medium text-muted">404</p>
        <h1 className="mt-1 text-xl font-semibold">{t('app.oops_page_not_found')}</h1>
        <p className="mt-2 text-md text-muted">{t('app.address_may_be_mistyped')}</p>
        <Button asChild variant="primary" size="lg" className="mt-6">
          <Link to="/">{t('app.return_to_home')}</Link>
        </Button>
      </div>
    </main>
  );
}
