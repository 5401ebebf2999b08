import type { Ticket } from '@tandem/contracts';
import { may, type Permission } from '@tandem/contracts/values';
import { ExternalLink, Link2, Plus } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Link } from 'react-router-dom';
import { useSession } from '../../../app/api';
import { announce } from '../../../lib/announce';
import { notify } from '../../../lib/notify';
import { t } from '../../../lib/staff-texts';
import { Button } from '../../../ui/Button';
import { Menu } from '../../../ui/Menu';
import { PartError } from '../PartError';
import { LinkedTask } from './LinkedTask';
import { Section } from './Section';
import { useLinkTaskMutation, useTicketTask, type LinkChoice } from './task.api';
import { TaskSkeleton } from './TaskSkeleton';

const LinkTaskDialog = lazy(() => import('./LinkTaskDialog').then((module) => ({ default: module.LinkTaskDialog })));

/** Creates a task for the ticket, in the only list or in the chosen one. */
function CreateTask({ ticket, choices }: { ticket: Ticket; choices: LinkChoice[] }) {
  const [link] = useLinkTaskMutation();
  const create = async (choice: LinkChoice) => {
    announce(t('tickets.panel.creating_task_status'));
    const { error } = await link({ ticket_id: ticket.id, choice });
    if (error) notify.problem(error, t('tickets.panel.failed_to_create_task'));
  };
  const button = (
    <Button size="sm">
      <Plus aria-hidden />
      {t('tickets.panel.create_task')}
    </Button>
  );
  const [only] = choices;
  if (only && choices.length === 1)
    return (
      <Button
        size="sm"
        title={t('tickets.panel.in_tool_name_list_name', { tool_name: only.tool_name, list_name: only.list_name })}
        onClick={() => void create(only)}
      >
        <Plus aria-hidden />
        {t('tickets.panel.create_task')}
      </Button>
    );
  return (
    <Menu
      trigger={button}
      className="max-h-72 overflow-y-auto"
      entries={choices.map((choice) => ({ label: `${choice.tool_name} · ${choice.list_name}`, onSelect: () => void create(choice) }))}
    />
  );
}

function NoTask({ ticket, choices }: { ticket: Ticket; choices: LinkChoice[] }) {
  const [isLinking, setIsLinking] = useState(false);
  return (
    <Section title={t('tickets.panel.task')}>
      <div className="flex flex-wrap gap-1.5">
        <CreateTask ticket={ticket} choices={choices} />
        <Button size="sm" variant="ghost" onClick={() => setIsLinking(true)}>
          <Link2 aria-hidden />
          {t('tickets.panel.link_a_task')}
        </Button>
      </div>
      {isLinking && (
        <Suspense fallback={null}>
          <LinkTaskDialog ticket={ticket} choices={choices} onClose={() => setIsLinking(false)} />
        </Suspense>
      )}
    </Section>
  );
}

/** Shown while the integrations service is unavailable: the ticket itself contains the task's URL. */
function TaskUnavailable({ ticket, busy, onRetry }: { ticket: Ticket; busy: boolean; onRetry: () => void }) {
  return (
    <Section title={t('tickets.panel.task')}>
      {ticket.task && (
        <a
          href={ticket.task.url}
          target="_blank"
          rel="noopener noreferrer"
          className="mb-1 inline-flex items-center gap-1.5 text-accent-text hover:underline"
        >
          {t('tickets.panel.open_task')}
          <ExternalLink className="size-3.5" aria-hidden />
        </a>
      )}
      <PartError busy={busy} onRetry={onRetry}>
        {ticket.task ? t('tickets.panel.couldnt_load_tasks_status') : t('tickets.panel.couldnt_load_task')}
      </PartError>
    </Section>
  );
}

/** The linked task, or the ways to create or link one. Renders nothing for users who can neither link a task nor set up a task tool. */
export function TaskSection({ ticket }: { ticket: Ticket }) {
  const { role } = useSession().profile;
  const mayDo = (permission: Permission) => role !== null && may(role, permission);
  const { answer, isError, isAsking, refetch } = useTicketTask(ticket);
  if (!answer && isError) return <TaskUnavailable ticket={ticket} busy={isAsking} onRetry={refetch} />;
  if (!answer) return <TaskSkeleton ticket={ticket} />;
  if (answer.task) return <LinkedTask ticket={ticket} task={answer.task} choices={answer.integrations} mayLink={mayDo('task.link')} />;
  if (answer.integrations.length > 0) return mayDo('task.link') ? <NoTask ticket={ticket} choices={answer.integrations} /> : null;
  if (!mayDo('integration.write')) return null;
  return (
    <Section title={t('tickets.panel.task')}>
      <Link to="/integration" className="flex h-7 items-center text-xs text-muted hover:text-accent-text hover:underline touch:h-9">
        {t('tickets.panel.connect_task_tool')}
      </Link>
    </Section>
  );
}
