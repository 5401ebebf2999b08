import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { SlaClock, TicketSla } from '@tandem/contracts';
import { http } from 'msw';
import { Provider } from 'react-redux';
import { createStore } from '../../../app/store';
import { anId, backend } from '../../../testing/backend';
import { answer, api, server } from '../../../testing/server';
import { DueBadge } from '../../../lib/due-badge';
import { SlaClocks } from './SlaClocks';

const soon = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
const clock = (more: Partial<SlaClock>): SlaClock => ({
  clock: 'response',
  state: 'running',
  due_at: soon(5),
  met_at: null,
  remaining_minutes: 300,
  paused_by: null,
  resumes_at: null,
  ...more,
});
const sla = (...clocks: SlaClock[]): TicketSla => ({
  policy: { id: anId(), name: 'Gold', response_time_hours: 4, resolution_time_hours: 24 },
  clocks,
  counts_working_time: false,
  paused_minutes: 0,
  escalates_at: soon(40),
});
const openDetails = async () => userEvent.click(await screen.findByRole('button', { name: 'Details' }));
function show(value: TicketSla | null) {
  backend.signIn();
  server.use(http.get(api('/tickets/:id/sla'), () => answer(value)));
  return render(
    <Provider store={createStore()}>
      <SlaClocks ticketId={anId()} />
    </Provider>,
  );
}

it.each([
  ['5h left', /^Due \w{3} /, clock({ due_at: soon(5.1) })],
  ['Paused', 'Paused (waiting for the customer)', clock({ state: 'paused', paused_by: 'waiting_for_customer', due_at: null })],
  [
    '22h left',
    /^Paused until \w{3} \d+:\d\d [AP]M \(outside business hours\)$/,
    clock({ state: 'paused', paused_by: 'outside_business_hours', resumes_at: soon(20), due_at: soon(22.1) }),
  ],
  ['Met', /^Met on /, clock({ state: 'met', met_at: soon(-1) })],
  ['Missed', /^Missed \(answered /, clock({ state: 'missed', met_at: soon(-1) })],
  ['1h overdue', /^Due \w{3} /, clock({ state: 'overdue', remaining_minutes: -90, due_at: soon(-1.5) })],
])('shows %s in one line, and the reason on request', async (text, sentence, value) => {
  show(sla(value));
  expect(await screen.findByText(text)).toBeInTheDocument();
  expect(screen.queryByText(sentence, { selector: 'li p' })).not.toBeInTheDocument();
  await openDetails();
  expect(screen.getByText(sentence, { selector: 'li p' })).toBeInTheDocument();
});

it('shows the same due time as the list, and the working time left with business hours', async () => {
  const due_at = soon(70.1);
  show({ ...sla(clock({ due_at, remaining_minutes: 320 })), counts_working_time: true });
  render(<DueBadge ticket={{ status: 'open', next_due_at: due_at, sla_paused_since: null, sla_breached_at: null, escalated_at: null }} />);
  expect(await screen.findByText('2d left')).toBeInTheDocument();
  expect(screen.getByText('Due in 2d')).toBeInTheDocument();
  await openDetails();
  expect(screen.getByText('5h 20m of working time left')).toBeInTheDocument();
});

it('shows no working time if the timers run around the clock', async () => {
  show(sla(clock({})));
  await openDetails();
  expect(screen.queryByText(/working time/)).not.toBeInTheDocument();
});

it('shows the policy, both timers and the escalation', async () => {
  show(sla(clock({}), clock({ clock: 'resolution' })));
  expect(await screen.findByText('First response')).toBeInTheDocument();
  expect(screen.getByText('Resolution')).toBeInTheDocument();
  await openDetails();
  expect(screen.getByText('Policy: Gold')).toBeInTheDocument();
  expect(screen.getByText(/^Escalates on /)).toBeInTheDocument();
});

it('reserves its space while loading, and renders nothing without a policy', async () => {
  const { container } = show(null);
  expect(screen.getByRole('region', { name: 'SLA' })).toHaveAttribute('aria-busy', 'true');
  await waitFor(() => expect(container).toBeEmptyDOMElement());
});
