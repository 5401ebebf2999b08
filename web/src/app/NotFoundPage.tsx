import { Link } from 'react-router-dom';
import { Button } from '../ui/Button';
import { Logo } from '../ui/Logo';
import { useDocumentTitle } from '../ui/PageHeader';

export function NotFoundPage() {
  useDocumentTitle('Page not found');
  return (
    <main className="grid min-h-dvh place-items-center bg-canvas p-6">
      <div className="text-center">
        <div className="mb-8">
          <Logo />
        </div>
        <p className="tabular text-sm font-medium text-muted">404</p>
        <h1 className="mt-1 text-xl font-semibold">Oops! Page not found</h1>
        <p className="mt-2 text-md text-muted">The address may be mistyped, or the page has moved.</p>
        <Button asChild variant="primary" size="lg" className="mt-6">
          <Link to="/">Return to Home</Link>
        </Button>
      </div>
    </main>
  );
}
