import { useId, type ReactNode } from 'react';
import { Card, CardHeader } from '../../ui/Card';

/** A section of the account page. */
export function Section({ title, actions, children, id }: { title: string; actions?: ReactNode; children: ReactNode; id?: string }) {
  const heading = useId();
  return (
    <Card aria-labelledby={heading} id={id} className="scroll-mt-4">
      <CardHeader id={heading} title={title} actions={actions} />
      <div className="flex flex-col gap-4 p-4">{children}</div>
    </Card>
  );
}
