import { CloudOff } from 'lucide-react';
import { useConnection } from '../lib/connection';
import { uiText } from '../lib/ui-texts';
import { Button } from './Button';

/** Shows that the server cannot be reached, and the requests that will be sent once it can. */
export function ConnectionNote() {
  const { isLost, waiting } = useConnection();
  return (
    <div role="status" className="pointer-events-none fixed bottom-3 left-1/2 z-40 -translate-x-1/2 max-md:bottom-16">
      {isLost && (
        <div className="pointer-events-auto w-max max-w-[calc(100vw-1.5rem)] animate-pop rounded-lg border border-line-strong bg-raised px-3 py-2 text-xs shadow-overlay">
          <p className="flex items-center gap-2">
            <CloudOff className="size-4 shrink-0 text-muted" aria-hidden />
            {uiText('offline')}
          </p>
          {waiting.length > 0 && (
            <ul aria-label={uiText('waiting_list')} className="mt-1 flex flex-col gap-1">
              {waiting.map(({ key, label, withdraw }) => (
                <li key={key} className="flex items-center justify-between gap-3 text-muted">
                  <span className="truncate">{uiText('waiting', { label })}</span>
                  <Button variant="ghost" size="sm" aria-label={uiText('withdraw_label', { label })} onClick={withdraw}>
                    {uiText('withdraw')}
                  </Button>
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
    </div>
  );
}
