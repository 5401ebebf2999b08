import { screen, waitFor, within } from '@testing-library/react';
import type { Report } from '@tandem/contracts';
import { http } from 'msw';
import { aReport, someAnalytics } from '../../../testing/analytics';
import { backend } from '../../../testing/backend';
import { renderApp } from '../../../testing/render';
import { answer, api, refuse, server } from '../../../testing/server';

let reports: Report[];
beforeEach(() => {
  reports = [];
  backend.signIn();
  server.use(
    http.get(api('/analytics'), () => answer(someAnalytics())),
    http.get(api('/analytics/reports'), () => answer(reports)),
    http.post(api('/analytics/reports'), async ({ request }) => {
      const report = aReport((await request.json()) as Partial<Report>);
      reports = [...reports, report];
      return answer(report, { status: 201 });
    }),
    http.patch(api('/analytics/reports/:id'), async ({ params, request }) => {
      const changes = (await request.json()) as Partial<Report>;
      reports = reports.map((report) => (report.id === params.id ? { ...report, ...changes } : report));
      return answer(reports.find(({ id }) => id === params.id));
    }),
    http.delete(api('/analytics/reports/:id'), ({ params }) => {
      reports = reports.filter(({ id }) => id !== params.id);
      return answer({});
    }),
  );
});

async function openReports() {
  const { person } = renderApp('/analytics');
  await person.click(await screen.findByRole('button', { name: 'Scheduled reports' }));
  return { person, dialog: within(await screen.findByRole('dialog')) };
}

it('schedules a report for the chosen members', async () => {
  const { person, dialog } = await openReports();
  await person.click(await dialog.findByRole('button', { name: 'New report' }));
  // The user is already chosen.
  await person.click(await dialog.findByRole('checkbox', { name: /Marek/ }));
  const zone = dialog.getByRole('combobox', { name: 'Send at 8:00 AM in' });
  expect(zone).toHaveValue('Europe/Berlin');
  await person.click(zone);
  await person.type(zone, 'Boston');
  await person.keyboard('{Enter}');
  await person.click(dialog.getByRole('button', { name: 'Schedule report' }));
  const list = await dialog.findByRole('list', { name: 'Scheduled reports' });
  expect(list).toHaveTextContent('Every Monday');
  expect(list).toHaveTextContent('Marek Lindqvist');
  expect(list).toHaveTextContent('Next: Nov 23, 2026 · 8:00 AM in America/New York');
  expect(reports[0]?.recipient_ids).toEqual(backend.members.map(({ user_id }) => user_id));
});

it('requires a recipient', async () => {
  reports = [aReport({ recipient_ids: [backend.me.user_id] })];
  const { person, dialog } = await openReports();
  await person.click(await dialog.findByRole('button', { name: /^Edit report/ }));
  await person.click(await dialog.findByRole('checkbox', { name: /Ada/ }));
  await person.click(dialog.getByRole('button', { name: 'Save' }));
  expect(dialog.getByRole('alert')).toHaveTextContent('Choose at least one member');
  await person.click(dialog.getByRole('checkbox', { name: /Marek/ }));
  await person.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await dialog.findByRole('list', { name: 'Scheduled reports' })).toHaveTextContent('Marek');
  // The organization's time zone is not stored.
  expect(reports[0]?.time_zone).toBeNull();
});

it('deletes a report, and restores it with Undo', async () => {
  reports = [aReport({ recipient_ids: [backend.me.user_id] })];
  const { person, dialog } = await openReports();
  await person.click(await dialog.findByRole('button', { name: /^Delete report/ }));
  expect(await dialog.findByText('No scheduled reports')).toBeInTheDocument();
  await person.click(dialog.getByRole('button', { name: 'Undo' }));
  expect(await dialog.findByRole('list', { name: 'Scheduled reports' })).toHaveTextContent('Every Monday');
  expect(reports[0]?.recipient_ids).toEqual([backend.me.user_id]);
});

it('shows why a report could not be scheduled', async () => {
  server.use(http.post(api('/analytics/reports'), () => refuse('report.too_many')));
  const { person, dialog } = await openReports();
  await person.click(await dialog.findByRole('button', { name: 'New report' }));
  await person.click(dialog.getByRole('button', { name: 'Schedule report' }));
  expect(await dialog.findByRole('alert')).toBeInTheDocument();
  expect(dialog.getByRole('button', { name: 'Schedule report' })).toBeInTheDocument();
});

it('offers only members who may read the figures', async () => {
  backend.members = backend.members.map((member) => (member.user_id === backend.me.user_id ? member : { ...member, role: 'agent' }));
  const { person, dialog } = await openReports();
  await person.click(await dialog.findByRole('button', { name: 'New report' }));
  expect(await dialog.findByRole('checkbox', { name: /Ada/ })).toBeChecked();
  expect(dialog.queryByRole('checkbox', { name: /Marek/ })).toBeNull();
});

it('closes the form of a report that has changed since, and does not add its former recipients', async () => {
  reports = [aReport({ recipient_ids: backend.members.map(({ user_id }) => user_id), version: 3 })];
  let sent: Partial<Report> = {};
  server.use(
    http.patch(api('/analytics/reports/:id'), async ({ request }) => {
      sent = (await request.json()) as Partial<Report>;
      reports = [aReport({ ...reports[0]!, recipient_ids: [backend.me.user_id], version: 4 })];
      return refuse('report.changed');
    }),
  );
  const { person, dialog } = await openReports();
  await person.click(await dialog.findByRole('button', { name: /^Edit report/ }));
  await person.click(dialog.getByRole('button', { name: 'Save' }));
  const list = await dialog.findByRole('list', { name: 'Scheduled reports' });
  expect(sent.version).toBe(3);
  await waitFor(() => expect(list).not.toHaveTextContent('Marek'));
});
