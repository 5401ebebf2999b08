import type { Ticket } from '@tandem/contracts';
import { cn } from '../../../lib/cn';
import { useSession } from '../../../app/api';

/** Keeps the room of the task's section until it is there, so that nothing below it moves. Agents see one only where there is a task. */
export function TaskRoom({ ticket }: { ticket: Ticket }) {
  const { role } = useSession().profile;
  if (!ticket.task && role !== 'admin') return null;
  return <div aria-hidden className={cn('border-b', ticket.task ? 'h-34.25' : 'h-18.75')} />;
}
