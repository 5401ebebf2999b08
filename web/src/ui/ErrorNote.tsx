import { CloudOff, RotateCw } from 'lucide-react';
import { uiText } from '../lib/ui-texts';
import { Button } from './Button';
import { EmptyState } from './EmptyState';

/** Replaces content that could not be loaded: what happened, and Try Again. */
export function ErrorNote({ title, detail, onRetry, busy }: { title: string; detail?: string; onRetry: () => void; busy?: boolean }) {
  return (
    <div role="alert">
      <EmptyState
        icon={CloudOff}
        title={title}
        action={
          <Button onClick={onRetry} busy={busy}>
            {!busy && <RotateCw aria-hidden />}
            {uiText('try_again')}
          </Button>
        }
      >
        {detail}
      </EmptyState>
    </div>
  );
}
