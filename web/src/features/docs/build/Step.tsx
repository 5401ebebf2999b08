import { CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { docsLink, LinkedSection } from '../DocsSection';

interface StepProps {
  number: number;
  id: string;
  title: string;
  children: ReactNode;
}
export const Step = ({ number, id, title, children }: StepProps) => (
  <LinkedSection id={id} title={`${number}. ${title}`}>
    {children}
  </LinkedSection>
);

/** The result of a step, so that readers notice immediately if something went wrong. */
export const Expected = ({ children }: { children: ReactNode }) => (
  <div className="flex flex-col gap-2 rounded-md bg-green-soft px-4 py-3">
    <p className="flex items-center gap-2 font-medium text-green-text">
      <CircleCheck className="size-4 shrink-0" aria-hidden />
      You should see
    </p>
    {children}
  </div>
);

export const SettingsLink = ({ tab }: { tab: 'api' | 'webhooks' }) => (
  <Link to={`/settings?tab=${tab}`} className={docsLink}>
    Settings, {tab === 'api' ? 'API' : 'Webhooks'}
  </Link>
);
