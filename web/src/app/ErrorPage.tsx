import { RotateCw, TriangleAlert } from 'lucide-react';
import { Component, type ReactNode } from 'react';
import { replaceFirstHtml } from '../lib/first-html';
import { uiText } from '../lib/ui-texts';
import { Button } from '../ui/Button';

/** Fallback page for a screen that failed to render. */
export function ErrorPage({ onRetry }: { onRetry: () => void }) {
  return (
    <main role="alert" className="grid min-h-[60dvh] place-items-center p-6">
      <div className="max-w-md text-center">
        <span className="mx-auto mb-4 grid size-11 place-items-center rounded-xl border bg-surface text-red-text">
          <TriangleAlert className="size-5" aria-hidden />
        </span>
        <h1 className="text-lg font-semibold">{uiText('crash')}</h1>
        <p className="mt-1.5 text-md text-pretty text-muted">{uiText('crash_text')}</p>
        <div className="mt-5 flex justify-center gap-2">
          <Button variant="primary" onClick={onRetry}>
            {uiText('try_again')}
          </Button>
          <Button onClick={() => location.reload()}>
            <RotateCw aria-hidden />
            {uiText('refresh')}
          </Button>
        </div>
      </div>
    </main>
  );
}

/** Catches render errors, including code chunks that no longer load after a deployment. Try Again renders the screen again. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidCatch(error: unknown) {
    replaceFirstHtml();
    // oxlint-disable-next-line no-console -- the top-level boundary logs errors
    console.error(error);
    // React caught the error, so `window.onerror` does not fire: pass it to the monitoring. Public pages have no listener.
    window.dispatchEvent(new CustomEvent('tandem:error', { detail: error }));
  }

  override render() {
    return this.state.failed ? <ErrorPage onRetry={() => this.setState({ failed: false })} /> : this.props.children;
  }
}
