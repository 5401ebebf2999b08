import type { PublicSurvey } from '@tandem/contracts';
import { screen, waitFor } from '@testing-library/react';
import { http } from 'msw';
import { renderApp } from '../../../testing/render';
import { answer, api, refuse, server } from '../../../testing/server';
import { portal } from '../testing';

const ticket: PublicSurvey['ticket'] = {
  id: '0199a000-0000-7000-8000-000000000001',
  ticket_number: 'NC-0042',
  subject: 'Wrong grind',
  status: 'resolved',
  customer_name: 'Jonas Weber',
  language: null,
};
const path = `/survey/${ticket.id}?email=jonas%40example.com`;
const sent: { body: unknown; key: string | null }[] = [];

beforeEach(() => {
  portal();
  sent.length = 0;
  server.use(
    http.get(api('/public/surveys/:id'), () => answer({ ticket, survey: null })),
    http.post(api('/public/surveys/:id'), async ({ request }) => {
      sent.push({ body: await request.json(), key: request.headers.get('idempotency-key') });
      return answer({ ticket, survey: { rating: 4, feedback: null, created_at: '2026-11-20T10:05:00.000Z' } }, { status: 201 });
    }),
  );
});

const open = async (address = path) => {
  const view = renderApp(address);
  await screen.findByRole('radiogroup', { name: 'How did we do?' });
  return view;
};
const submit = () => screen.getByRole('button', { name: 'Submit feedback' });

it('submits a labeled rating from 1 to 5 and the feedback', async () => {
  const { person } = await open();
  expect(screen.getAllByRole('radio').map((radio) => radio.getAttribute('aria-label'))).toEqual([
    '1, Very Poor',
    '2, Poor',
    '3, Average',
    '4, Good',
    '5, Excellent',
  ]);
  await person.click(screen.getByRole('radio', { name: '4, Good' }));
  await person.type(screen.getByLabelText(/^Feedback/), 'Quick answer.');
  await person.click(submit());
  expect(await screen.findByRole('heading', { name: 'Thank You!' })).toBeInTheDocument();
  expect(sent).toEqual([
    { body: { email: 'jonas@example.com', rating: 4, feedback: 'Quick answer.' }, key: expect.stringMatching(/^[0-9a-f]{32}$/) },
  ]);
});

it('works by keyboard', async () => {
  const { person } = await open();
  screen.getByRole('radio', { name: '1, Very Poor' }).focus();
  await person.keyboard(' {ArrowRight}{ArrowRight}');
  expect(screen.getByRole('radio', { name: '3, Average' })).toBeChecked();
  await person.keyboard('{ArrowLeft}');
  await person.tab();
  expect(screen.getByLabelText(/^Feedback/)).toHaveFocus();
  await person.tab();
  await person.keyboard('{Enter}');
  await screen.findByRole('heading', { name: 'Thank You!' });
  expect(sent[0]!.body).toMatchObject({ rating: 2 });
});

it('preselects the rating of the emailed link, if valid', async () => {
  const { unmount } = await open(`${path}&rating=5`);
  expect(screen.getByRole('radio', { name: '5, Excellent' })).toBeChecked();
  unmount();
  sessionStorage.clear();
  await open(`${path}&rating=17`);
  expect(screen.queryByRole('radio', { checked: true })).not.toBeInTheDocument();
});

it('requires a rating before sending', async () => {
  const { person } = await open();
  await person.click(submit());
  expect(await screen.findByText('Rating Required')).toBeInTheDocument();
  expect(screen.getAllByText('Please provide a rating before submitting.')).toHaveLength(2);
  expect(screen.getByRole('radio', { name: '1, Very Poor' })).toHaveFocus();
  expect(screen.getByRole('radiogroup')).toBeInvalid();
  expect(sent).toEqual([]);
});

it('restores rating and text after a reload, even if the link has another rating', async () => {
  const { person, unmount } = await open(`${path}&rating=5`);
  await person.click(screen.getByRole('radio', { name: '2, Poor' }));
  await person.type(screen.getByLabelText(/^Feedback/), 'Too late.');
  unmount();
  const second = await open(`${path}&rating=5`);
  expect(screen.getByRole('radio', { name: '2, Poor' })).toBeChecked();
  expect(screen.getByLabelText(/^Feedback/)).toHaveValue('Too late.');
  second.unmount();
  await open(`${path}&rating=1`);
  expect(screen.getByRole('radio', { name: '1, Very Poor' })).toBeChecked();
});

it('shows that the feedback could not be sent, and retries with the same key', async () => {
  const keys: (string | null)[] = [];
  server.use(
    http.post(api('/public/surveys/:id'), ({ request }) => {
      keys.push(request.headers.get('idempotency-key'));
      return refuse('service.unavailable');
    }),
  );
  const { person } = await open(`${path}&rating=3`);
  await person.click(submit());
  expect(await screen.findByText('Failed to submit feedback. Please try again.')).toBeInTheDocument();
  expect(screen.getByRole('radio', { name: '3, Average' })).toBeChecked();
  await person.click(submit());
  await waitFor(() => expect(keys).toHaveLength(2));
  expect(keys[1]).toBe(keys[0]);
});

it('shows earlier feedback, including from another tab', async () => {
  let isAnswered = false;
  const survey = { rating: 4, feedback: null, created_at: '2026-11-20T10:05:00.000Z' };
  server.use(
    http.get(api('/public/surveys/:id'), () => answer({ ticket, survey: isAnswered ? survey : null })),
    http.post(api('/public/surveys/:id'), () => {
      isAnswered = true;
      return refuse('survey.already_submitted');
    }),
  );
  const { person } = await open(`${path}&rating=3`);
  await person.click(submit());
  expect(await screen.findByRole('heading', { name: 'Feedback already submitted' })).toBeInTheDocument();
  expect(screen.getByText(/4 of 5, Good/)).toBeInTheDocument();
  expect(screen.queryByRole('radiogroup')).not.toBeInTheDocument();
});

it('shows that the ticket does not exist, and allows another address', async () => {
  server.use(http.get(api('/public/surveys/:id'), () => refuse('ticket.not_found')));
  const { person } = renderApp(path);
  expect(await screen.findByRole('heading', { name: 'Ticket Not Found' })).toBeInTheDocument();
  expect(screen.getByText("The survey link you followed is invalid or the ticket doesn't exist.")).toBeInTheDocument();
  await person.click(screen.getByRole('button', { name: 'Try another address' }));
  expect(await screen.findByLabelText('Email')).toBeInTheDocument();
});

it('asks for the address if the link has none, and keeps its rating', async () => {
  const { person, address } = renderApp(`/survey/${ticket.id}?rating=4`);
  await person.click(await screen.findByRole('button', { name: 'Continue' }));
  expect(await screen.findByText('Missing Information')).toBeInTheDocument();
  expect(screen.getByLabelText('Email')).toHaveFocus();
  await person.keyboard('jonas@example.com{Enter}');
  expect(await screen.findByRole('radio', { name: '4, Good' })).toBeChecked();
  expect(address()).toBe(`/survey/${ticket.id}?email=jonas%40example.com&rating=4`);
});

it('distinguishes a failure from a rejection, and offers a retry', async () => {
  let isAway = true;
  server.use(http.get(api('/public/surveys/:id'), () => (isAway ? refuse('limit.exceeded') : answer({ ticket, survey: null }))));
  const { person } = renderApp(path);
  expect(await screen.findByText('Failed to load ticket information.')).toBeInTheDocument();
  isAway = false;
  await person.click(screen.getByRole('button', { name: 'Try Again' }));
  expect(await screen.findByRole('radiogroup')).toBeInTheDocument();
});
