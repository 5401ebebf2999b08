import { CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { DocsSection } from '../DocsSection';

interface StepProps {
  number: number;
  id: string;
  title: string;
  children: ReactNode;
}
export const Step = ({ number, id, title, children }: StepProps) => (
  <DocsSection id={id} title={`${number}. ${title}`}>
    {children}
  </DocsSection>
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
