import { Bot, Braces, ListChecks, Waypoints } from 'lucide-react';
import { t } from '../../../lib/staff-texts';

const sources = {
  'task-tool': { icon: ListChecks, title: t('tickets.conversation.written_in_task_tool') },
  api: { icon: Braces, title: t('tickets.conversation.written_with_api_token') },
  mcp: { icon: Bot, title: t('tickets.conversation.written_by_assistant') },
  rule: { icon: Waypoints, title: t('tickets.conversation.written_by_rule') },
};
export type MessageSource = keyof typeof sources;

/** The icon of a comment that no person wrote in Tandem. */
export function SourceMark({ source }: { source: MessageSource }) {
  const { icon: Icon, title } = sources[source];
  return (
    <span title={title} className="grid size-full place-items-center">
      <Icon className="size-4 max-md:size-3.5" aria-hidden />
    </span>
  );
}
