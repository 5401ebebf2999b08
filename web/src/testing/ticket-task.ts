import type { TaskChoice, TaskLinkPreview, TicketTask } from '@tandem/contracts';
import { http } from 'msw';
import { anId, backend } from './backend';
import { answer, api, refuse, signedIn } from './responses';

const clickup = { id: anId(), provider: 'clickup', tool_name: 'ClickUp', list_name: 'Support' };
export const github = { id: anId(), provider: 'github', tool_name: 'GitHub', list_name: 'roastery' };

/** Connects a task tool to the organization; before, `backend.taskLists` is empty. */
export const connectTaskTool = (...more: (typeof clickup)[]) => (backend.taskLists = [clickup, ...more]);

export const aTask = (overrides: Partial<TicketTask> = {}): TicketTask => ({
  state: 'linked',
  provider: clickup.provider,
  tool_name: clickup.tool_name,
  integration_id: clickup.id,
  list_name: clickup.list_name,
  task_id: '86abc',
  url: 'https://app.clickup.com/t/86abc',
  title: 'Grinder is set too fine',
  status: { id: 's', name: 'in review', category: 'active', color: '#5f55ee' },
  assignees: ['Ann Lee'],
  is_pending: false,
  differs: [],
  problem: null,
  synced_at: new Date(Date.now() - 2 * 60_000).toISOString(),
  drafted_reply: null,
  sharing: { is_primary: true, tickets: 1, customers: 1, others: [] },
  ...overrides,
});

export const aTaskChoice = (overrides: Partial<TaskChoice> = {}): TaskChoice => ({
  id: '86abc',
  title: 'Grinder is set too fine',
  url: 'https://app.clickup.com/t/86abc',
  tickets: 0,
  status: { id: 's', name: 'in review', category: 'active', color: '#5f55ee' },
  ...overrides,
});
export const aPreview = (overrides: Partial<TaskLinkPreview> = {}): TaskLinkPreview => ({
  task: { ...aTaskChoice(), integration_id: clickup.id, tool_name: 'ClickUp', list_name: 'Support' },
  differences: [],
  ...overrides,
});

/** Links a ticket of the backend to a task, in the data of both services. */
export function linkTask(ticket_id: string, overrides: Partial<TicketTask> = {}): TicketTask {
  const task = aTask(overrides);
  backend.tasks.set(ticket_id, task);
  const { provider, task_id, url } = task;
  const ticket = backend.ticket(ticket_id);
  if (ticket && task_id && url) ticket.task = { provider, task_id, url };
  return task;
}

/** Handlers for a ticket's task. A function, because this module and server.ts import each other. */
export const ticketTaskHandlers = () => [
  http.get(api('/tickets/:id/task'), ({ params }) =>
    signedIn(() => answer({ task: backend.tasks.get(String(params.id)) ?? null, integrations: backend.taskLists })),
  ),
  http.get(api('/tickets/:id/task/search'), () => answer(backend.tasksFound)),
  http.get(api('/tickets/:id/task/preview'), ({ request }) => {
    const query = new URL(request.url).searchParams;
    return answer(aPreview({ task: { ...aPreview().task, integration_id: query.get('integration_id') ?? '' } }));
  }),
  http.post(api('/tickets/:id/task'), async ({ params, request }) => {
    const { integration_id, task } = (await request.json()) as { integration_id: string; task?: string };
    const list = backend.taskLists.find(({ id }) => id === integration_id);
    if (!list) return refuse('integration.not_found');
    const { id: _, ...where } = list;
    const isNew = {
      state: 'creating',
      task_id: null,
      url: null,
      title: null,
      status: null,
      assignees: [],
      is_pending: true,
      synced_at: null,
    };
    return answer(linkTask(String(params.id), { ...where, integration_id, ...(task ? {} : (isNew as Partial<TicketTask>)) }), {
      status: 201,
    });
  }),
  http.delete(api('/tickets/:id/task'), ({ params }) => (backend.tasks.delete(String(params.id)) ? answer({}) : refuse('task.not_linked'))),
  http.post(api('/tickets/:id/task/sync'), ({ params }) => {
    const task = backend.tasks.get(String(params.id));
    if (!task) return refuse('task.not_linked');
    return answer(Object.assign(task, { state: 'linked', problem: null, is_pending: true }), { status: 202 });
  }),
  http.delete(api('/tickets/:id/finished-task'), ({ params }) => {
    const ticket = backend.ticket(String(params.id));
    if (!ticket) return refuse('ticket.not_found');
    return answer(Object.assign(ticket, { task_finished_at: null, version: ticket.version + 1 }));
  }),
];
