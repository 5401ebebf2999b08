import { QueryStatus } from '@reduxjs/toolkit/query/react';
import type { LinkTask, Ticket, TicketTask } from '@tandem/contracts';
import {
  dismissFinishedTask,
  linkTicketTask,
  previewTaskLink,
  searchTasks,
  syncTicketTask,
  unlinkTicketTask,
} from '@tandem/contracts/endpoints';
import { endpoint } from '../../../app/endpoint';
import { call } from '../../../lib/call';
import { lists } from '../list/loaded-lists';
import { takeTicket, ticketsApi } from '../tickets.api';
import { useTicketPart } from '../open-ticket';
import { ticketTaskApi, type TaskOfTicket } from './ticket-task.api';

/** An integration that the ticket could be linked through. */
export type LinkChoice = TaskOfTicket['integrations'][number];

/** Poll interval during a sync. An event reports a sync that changed something; polling detects the end of all others. */
const pollMs = 5_000;

const withTask = (ticket_id: string, task: TicketTask | null) =>
  taskApi.util.updateQueryData('readTicketTask', ticket_id, (known) => void (known.task = task));

/** A placeholder for a new task until the server has responded. */
const begun = ({ id, provider, tool_name, list_name }: LinkChoice): TicketTask => ({
  state: 'creating',
  provider,
  tool_name,
  list_name,
  integration_id: id,
  task_id: null,
  url: null,
  title: null,
  status: null,
  assignees: [],
  differs: [],
  is_pending: true,
  problem: null,
  synced_at: null,
  drafted_reply: null,
  sharing: { is_primary: true, tickets: 1, customers: 1, others: [] },
});

const taskQueries = ticketTaskApi.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    /** Calls the task tool, so it is sent only on request and cached only while the dialog is open. */
    findTasksToLink: build.query({
      ...endpoint(({ ticket_id, ...query }: { ticket_id: string; integration_id: string; words: string }) =>
        call(searchTasks, { params: { id: ticket_id }, query }),
      ),
      keepUnusedDataFor: 0,
    }),
    previewTaskLink: build.query({
      ...endpoint(({ ticket_id, ...query }: { ticket_id: string; integration_id: string; task: string }) =>
        call(previewTaskLink, { params: { id: ticket_id }, query }),
      ),
      keepUnusedDataFor: 0,
    }),
  }),
});

export const taskApi = taskQueries.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    linkTask: build.mutation({
      ...endpoint(
        ({ ticket_id, choice, task, winner }: { ticket_id: string; choice: LinkChoice; task?: string; winner?: LinkTask['winner'] }) =>
          call(linkTicketTask, {
            params: { id: ticket_id },
            body: { integration_id: choice.id, ...(task === undefined ? {} : { task }), ...(winner && { winner }) },
          }),
      ),
      // On an error, such as another user linking it first, reloads the task to show its current state.
      invalidatesTags: (_done, error, { ticket_id }) => (error ? [{ type: 'TicketTask', id: ticket_id }] : []),
      onQueryStarted: async ({ ticket_id, choice, task }, { dispatch, queryFulfilled }) => {
        const shown = task === undefined ? dispatch(withTask(ticket_id, begun(choice))) : undefined;
        const { data } = await queryFulfilled.catch(() => ({ data: undefined }));
        if (data) dispatch(withTask(ticket_id, data));
        else shown?.undo();
      },
    }),
    unlinkTask: build.mutation({
      ...endpoint((ticket_id: string) => call(unlinkTicketTask, { params: { id: ticket_id } })),
      invalidatesTags: (_done, error, id) => (error ? [{ type: 'TicketTask', id }] : []),
      onQueryStarted: async (ticket_id, { dispatch, queryFulfilled }) => {
        const shown = dispatch(withTask(ticket_id, null));
        await queryFulfilled.catch(() => shown.undo());
      },
    }),
    syncTask: build.mutation({
      ...endpoint((ticket_id: string) => call(syncTicketTask, { params: { id: ticket_id } })),
      onQueryStarted: async (ticket_id, { dispatch, queryFulfilled }) => {
        const shown = dispatch(
          taskApi.util.updateQueryData('readTicketTask', ticket_id, ({ task }) => {
            if (task) Object.assign(task, { is_pending: true, problem: null, state: task.task_id === null ? 'creating' : 'linked' });
          }),
        );
        const { data } = await queryFulfilled.catch(() => ({ data: undefined }));
        if (data) dispatch(withTask(ticket_id, data));
        else shown.undo();
      },
    }),
    dismissFinishedTask: build.mutation({
      ...endpoint((ticket_id: string) => call(dismissFinishedTask, { params: { id: ticket_id } })),
      invalidatesTags: (_done, error) => (error ? [] : ['ViewCounts']),
      onQueryStarted: async (id, cache) => {
        const { dispatch, queryFulfilled } = cache;
        const now = { task_finished_at: null };
        const shown = dispatch(ticketsApi.util.updateQueryData('readTicket', id, (ticket) => void Object.assign(ticket, now)));
        void lists.showInLists(
          cache,
          [id],
          () => now,
          queryFulfilled.then(({ data }) => [{ id, ticket: data }]),
        );
        const { data } = await queryFulfilled.catch(() => ({ data: undefined }));
        if (data) takeTicket(dispatch, data);
        else shown.undo();
      },
    }),
  }),
});

export const {
  useFindTasksToLinkQuery,
  usePreviewTaskLinkQuery,
  useLinkTaskMutation,
  useUnlinkTaskMutation,
  useSyncTaskMutation,
  useDismissFinishedTaskMutation,
} = taskApi;

const waits = ({ state, is_pending, problem }: TicketTask): boolean => problem === null && (is_pending || state === 'creating');

/** The ticket's task and possible links; polled while a sync is pending. */
export function useTicketTask(ticket: Pick<Ticket, 'id'>) {
  const { isMissing, retry } = useTicketPart('task');
  const { data: known } = taskApi.endpoints.readTicketTask.useQueryState(ticket.id);
  const { currentData, isError, status, refetch } = taskApi.endpoints.readTicketTask.useQuery(ticket.id, {
    skip: isMissing,
    pollingInterval: known?.task && waits(known.task) ? pollMs : 0,
    skipPollingIfUnfocused: true,
  });
  return {
    answer: currentData,
    isError: isError || isMissing,
    isAsking: status === QueryStatus.pending,
    refetch: isMissing ? retry : () => void refetch(),
  };
}
