import { defaultFinishedReply, finishedReplyVariables } from '@tandem/contracts';
import type { TaskSnapshot } from '../provider/task-tool';
import type { TicketCopy } from '../schema';

type Variable = (typeof finishedReplyVariables)[number];

/** The drafted reply for a finished task. Names in braces that are not variables stay unchanged. */
export function finishedReply(template: string | null, copy: TicketCopy, task: Pick<TaskSnapshot, 'title'> | null): string {
  const values: Record<Variable, string> = {
    customer_name: copy.customer_name ?? copy.customer_email,
    subject: copy.subject,
    ticket_number: copy.ticket_number,
    task_title: task?.title ?? copy.subject,
  };
  return (template ?? defaultFinishedReply).replace(/\{(\w+)\}/g, (braces, name: string) =>
    Object.hasOwn(values, name) ? values[name as Variable] : braces,
  );
}
