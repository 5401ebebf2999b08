import { render, screen, waitFor } from '@testing-library/react';
import type { SlaClock, TicketSla } from '@tandem/contracts';
import { http } from 'msw';
import { Provider } from 'react-redux';
import { createStore } from '../../app/store';
import { anId, house } from '../../testing/house';
import { answer, api, server } from '../../testing/server';
import { SlaClocks } from './SlaClocks';

const soon = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
const clock = (more: Partial<SlaClock>): SlaClock => ({
  ...{ clock: 'response', state: 'running', due_at: soon(5), met_at: null, remaining_minutes: 300, paused_by: null, resumes_at: null },
  ...more,
});
const sla = (...clocks: SlaClock[]): TicketSla => ({
  policy: { id: anId(), name: 'Gold', response_time_hours: 4, resolution_time_hours: 24 },
  clocks,
  paused_minutes: 0,
  escalates_at: soon(40),
});
function show(value: TicketSla | null) {
  house.signIn();
  server.use(http.get(api('/tickets/:id/sla'), () => answer(value)));
  return render(
    <Provider store={createStore()}>
      <SlaClocks ticketId={anId()} />
    </Provider>,
  );
}

it.each([
  ['5 h left', /^Due /, clock({})],
  [
    '3 h left',
    'Paused: waiting for the customer',
    clock({ state: 'paused', paused_by: 'waiting_for_customer', remaining_minutes: 180, due_at: null }),
  ],
  [
    '2 h 30 min left',
    /^Paused until \w{3} \d\d:\d\d: outside business hours$/,
    clock({ state: 'paused', paused_by: 'outside_business_hours', resumes_at: soon(20), remaining_minutes: 150 }),
  ],
  ['Met', /^On /, clock({ state: 'met', met_at: soon(-1) })],
  ['Missed', /^Late, on /, clock({ state: 'missed', met_at: soon(-1) })],
  ['Overdue by 1 h 30 min', /^Due /, clock({ state: 'overdue', remaining_minutes: -90, due_at: soon(-1.5) })],
])('says %s, and why', async (text, sentence, value) => {
  show(sla(value));
  expect(await screen.findByText(text)).toBeInTheDocument();
  expect(screen.getByText(sentence, { selector: 'li p' })).toBeInTheDocument();
});

it('names the policy, both clocks and the escalation', async () => {
  show(sla(clock({}), clock({ clock: 'resolution' })));
  expect(await screen.findByText('First response')).toBeInTheDocument();
  expect(screen.getByText('Resolution')).toBeInTheDocument();
  expect(screen.getByText('Policy: Gold')).toBeInTheDocument();
  expect(screen.getByText(/^Escalates .* unless it is resolved before$/)).toBeInTheDocument();
});

it('takes its place while it loads, and none without a policy', async () => {
  const { container } = show(null);
  expect(screen.getByRole('region', { name: 'SLA' })).toHaveAttribute('aria-busy', 'true');
  await waitFor(() => expect(container).toBeEmptyDOMElement());
});
