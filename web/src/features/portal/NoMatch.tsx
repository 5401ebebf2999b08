import { SearchX } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ApiProblem } from '../../lib/problem';
import { Button } from '../../ui/Button';
import { useTexts } from './language/texts';
import { PortalOutcome } from './PortalOutcome';

/** A malformed id or address is refused as invalid input (422); for the customer, the link is equally invalid. */
export const isNoMatch = (problem: ApiProblem): boolean => problem.code === 'ticket.not_found' || problem.status === 422;

interface NoMatchProps {
  title: string;
  onOtherEmail: () => void;
  /** Additional links or buttons below the text. */
  actions?: ReactNode;
  children: ReactNode;
}

/** Shown if the id and the address of a link match no ticket. */
export function NoMatch({ title, onOtherEmail, actions, children }: NoMatchProps) {
  const t = useTexts();
  return (
    <div role="alert">
      <PortalOutcome
        icon={SearchX}
        title={title}
        actions={
          <>
            <Button size="lg" className="h-11" onClick={onOtherEmail}>
              {t('email.other')}
            </Button>
            {actions}
          </>
        }
      >
        {children}
      </PortalOutcome>
    </div>
  );
}
