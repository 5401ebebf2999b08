import { cn } from '../../../lib/cn';
import { Button } from '../../../ui/Button';

interface SaveBarProps {
  isChanged: boolean;
  busy: boolean;
  onDiscard: () => void;
}

/** The buttons of a form, always in view while there is something to save. */
export const SaveBar = ({ isChanged, busy, onDiscard }: SaveBarProps) => (
  <div
    className={cn(
      '-mx-4 -mb-4 flex flex-wrap items-center gap-3 rounded-b-lg bg-surface p-4',
      isChanged && 'sticky bottom-0 border-t py-3',
    )}
  >
    <Button type="submit" variant="primary" busy={busy} disabled={!isChanged}>
      Save
    </Button>
    {isChanged && <Button onClick={onDiscard}>Discard</Button>}
    <span role="status" className="text-muted">
      {isChanged && 'You have unsaved changes.'}
    </span>
  </div>
);
