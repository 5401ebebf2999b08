import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { Organization, SlaPolicy } from '@tandem/contracts';
import { http } from 'msw';
import { anId, backend, organization } from '../../../testing/backend';
import { renderApp } from '../../../testing/render';
import { answer, api, refuse, server } from '../../../testing/server';

let policies: SlaPolicy[];
let saved: Organization;
let sent: unknown;
const aPolicy = (more: Partial<SlaPolicy> = {}): SlaPolicy => ({
  id: anId(),
  organization_id: organization.id,
  name: 'Standard',
  priority_level: 'medium',
  response_time_hours: 24,
  resolution_time_hours: 72,
  escalation_enabled: true,
  escalation_time_hours: 48,
  is_active: true,
  created_at: '2026-11-20T10:05:00.000Z',
  ...more,
});

beforeEach(() => {
  backend.signIn();
  policies = [];
  saved = { ...organization };
  sent = undefined;
  server.use(
    http.get(api('/sla-policies'), () => answer(policies)),
    http.post(api('/sla-policies'), async ({ request }) => {
      sent = await request.json();
      policies.push(aPolicy(sent as Partial<SlaPolicy>));
      return answer(policies.at(-1), { status: 201 });
    }),
    http.patch(api('/sla-policies/:id'), async ({ request, params }) => {
      sent = await request.json();
      const policy = policies.find(({ id }) => id === params.id)!;
      policies = policies.map((each) => (each === policy ? { ...each, ...(sent as object) } : each));
      return answer({ ...policy, ...(sent as object) });
    }),
    http.delete(api('/sla-policies/:id'), ({ params }) => {
      policies = policies.filter(({ id }) => id !== params.id);
      return answer({});
    }),
    http.get(api('/organizations/:id'), () => answer(saved)),
    http.patch(api('/organizations/:id'), async ({ request }) => {
      sent = await request.json();
      saved = { ...saved, ...(sent as object) };
      return answer(saved);
    }),
  );
});
const open = () => renderApp('/settings?tab=sla');
const dialog = () => screen.findByRole('dialog');
/** The button is disabled until the policies are loaded. */
const newPolicy = async (person: ReturnType<typeof renderApp>['person']) => {
  const button = await screen.findByRole('button', { name: 'New policy' });
  await waitFor(() => expect(button).toBeEnabled());
  await person.click(button);
  return within(await dialog());
};
const replacedStandard = '“Standard” was deactivated. Only one policy per priority can be active.';

describe('policies', () => {
  it('are explained in the empty state', async () => {
    open();
    expect(await screen.findByText('No policies yet')).toBeInTheDocument();
    expect(screen.getByText(/gives new tickets their due times/)).toBeInTheDocument();
  });

  it('are created with the default times', async () => {
    const { person } = open();
    const form = await newPolicy(person);
    expect(form.getByLabelText('First response (hours)')).toHaveValue('24');
    expect(form.getByLabelText('Resolution (hours)')).toHaveValue('72');
    expect(form.getByLabelText('Escalate after (hours)')).toHaveValue('48');
    expect(form.getByRole('switch', { name: 'Active' })).toBeChecked();
    await person.type(form.getByLabelText('Name'), '  Gold ');
    await person.click(form.getByRole('button', { name: 'Create policy' }));
    expect(await screen.findByText('SLA policy created successfully.')).toBeInTheDocument();
    expect(sent).toMatchObject({ name: 'Gold', priority_level: 'medium', response_time_hours: 24, is_active: true });
    expect(within(await screen.findByRole('list', { name: 'Policies' })).getByText('Gold')).toBeInTheDocument();
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });

  it('accept whole hours only and show which field is wrong', async () => {
    const { person } = open();
    const form = await newPolicy(person);
    for (const [label, value] of [
      ['First response (hours)', '1.5'],
      ['Resolution (hours)', '0'],
      ['Escalate after (hours)', '8761'],
    ] as const) {
      await person.clear(form.getByLabelText(label));
      await person.type(form.getByLabelText(label), value);
    }
    await person.click(form.getByRole('button', { name: 'Create policy' }));
    for (const message of ['Enter a name for the policy', 'Enter whole hours', 'At least 1 hour', 'At most 8760 hours'])
      expect(form.getByText(message)).toBeInTheDocument();
    expect(form.getByLabelText('Resolution (hours)')).toHaveAttribute('aria-invalid', 'true');
    expect(sent).toBeUndefined();
  });

  it('show that they could not be saved, and keep the input', async () => {
    server.use(http.post(api('/sla-policies'), () => refuse('sla_policy.too_many')));
    const { person } = open();
    const form = await newPolicy(person);
    await person.type(form.getByLabelText('Name'), 'Gold');
    await person.click(form.getByRole('button', { name: 'Create policy' }));
    expect(await screen.findByText(/Failed to save SLA policy\./)).toBeInTheDocument();
    expect(form.getByLabelText('Name')).toHaveValue('Gold');
  });

  it('are activated and deactivated', async () => {
    policies = [aPolicy()];
    const { person } = open();
    const toggle = await screen.findByRole('switch', { name: 'Standard is active' });
    await person.click(toggle);
    expect(await screen.findByText('SLA policy deactivated.')).toBeInTheDocument();
    await person.click(toggle);
    expect(await screen.findByText('SLA policy activated.')).toBeInTheDocument();
    expect(toggle).toBeChecked();
  });

  it('name the policy that a new one replaces', async () => {
    policies = [aPolicy()];
    const { person } = open();
    const form = await newPolicy(person);
    await person.type(form.getByLabelText('Name'), 'Gold');
    await person.click(form.getByRole('button', { name: 'Create policy' }));
    expect(await screen.findByText('SLA policy created successfully.')).toBeInTheDocument();
    expect(screen.getByText(replacedStandard)).toBeInTheDocument();
  });

  it('name no other policy if the new one is inactive', async () => {
    policies = [aPolicy()];
    const { person } = open();
    const form = await newPolicy(person);
    await person.type(form.getByLabelText('Name'), 'Gold');
    await person.click(form.getByRole('switch', { name: 'Active' }));
    await person.click(form.getByRole('button', { name: 'Create policy' }));
    expect(await screen.findByText('SLA policy created successfully.')).toBeInTheDocument();
    expect(screen.queryByText(replacedStandard)).not.toBeInTheDocument();
  });

  it.each(['the list', 'the dialog'])('name the policy that is replaced by activating another in %s', async (where) => {
    policies = [aPolicy(), aPolicy({ name: 'Gold', is_active: false })];
    const { person } = open();
    if (where === 'the list') await person.click(await screen.findByRole('switch', { name: 'Gold is active' }));
    else {
      await person.click(await screen.findByRole('button', { name: 'Edit Gold' }));
      const form = within(await dialog());
      await person.click(form.getByRole('switch', { name: 'Active' }));
      await person.click(form.getByRole('button', { name: 'Save' }));
    }
    expect(await screen.findByText(replacedStandard)).toBeInTheDocument();
  });

  it('stay unchanged if the switch fails, which is only logged', async () => {
    policies = [aPolicy()];
    server.use(http.patch(api('/sla-policies/:id'), () => refuse('sla_policy.not_found')));
    const logged = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const { person } = open();
    const toggle = await screen.findByRole('switch', { name: 'Standard is active' });
    await person.click(toggle);
    await waitFor(() => expect(logged).toHaveBeenCalled());
    expect(toggle).toBeChecked();
    expect(screen.queryByText(/SLA policy/)).not.toBeInTheDocument();
    logged.mockRestore();
  });

  it('are edited, and removed after a confirmation', async () => {
    policies = [aPolicy()];
    const { person } = open();
    await person.click(await screen.findByRole('button', { name: 'Edit Standard' }));
    const form = within(await dialog());
    await person.clear(form.getByLabelText('Name'));
    await person.type(form.getByLabelText('Name'), 'Silver');
    await person.click(form.getByRole('button', { name: 'Save' }));
    await person.click(await screen.findByRole('button', { name: 'Remove Silver' }));
    await person.click(within(await screen.findByRole('dialog', { name: 'Remove “Silver”?' })).getByRole('button', { name: 'Remove' }));
    expect(await screen.findByText('No policies yet')).toBeInTheDocument();
  });
});

describe('working time', () => {
  const card = async () => {
    await screen.findByLabelText('Time zone');
    // Hidden until the policies are loaded.
    return within(await screen.findByRole('region', { name: 'Working time and new tickets' }));
  };

  it('starts with office hours and is saved with one button', async () => {
    const { person } = open();
    const form = await card();
    expect(await form.findByText('SLA timers run around the clock, every day.')).toBeInTheDocument();
    expect(form.getByRole('button', { name: 'Save' })).toBeDisabled();
    await person.click(form.getByLabelText('Time zone'));
    await person.keyboard('boston');
    await person.click(await screen.findByRole('option', { name: /^America\/New York/ }));
    expect(form.getByLabelText('Time zone')).toHaveValue('America/New York');
    await person.click(form.getByRole('switch', { name: 'Count business hours only' }));
    fireEvent.change(form.getByLabelText('Monday to'), { target: { value: '00:00' } });
    await person.click(form.getByRole('button', { name: 'Add hours on Saturday' }));
    await person.click(form.getByRole('button', { name: 'Remove Tuesday' }));
    fireEvent.change(form.getByLabelText('Date'), { target: { value: '2026-12-25' } });
    await person.type(form.getByLabelText('Holiday name'), 'Christmas Day{Enter}');
    await person.click(form.getByRole('switch', { name: 'Assign new tickets automatically' }));
    expect(form.getByText('Unsaved: Time zone, Business hours, Holidays, Automatic assignment')).toBeInTheDocument();
    await person.click(form.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Settings saved!')).toBeInTheDocument();
    expect(sent).toEqual({
      time_zone: 'America/New_York',
      business_hours: [
        { day: 'mon', from: '09:00', to: '24:00' },
        ...['wed', 'thu', 'fri', 'sat'].map((day) => ({ day, from: '09:00', to: '17:00' })),
      ],
      holidays: [{ date: '2026-12-25', name: 'Christmas Day' }],
      auto_assign: true,
    });
    await waitFor(() => expect(form.queryByText(/^Unsaved/)).not.toBeInTheDocument());
  });

  it('keeps a change that is made while others are saved', async () => {
    let respond: () => void = () => undefined;
    server.use(
      http.patch(api('/organizations/:id'), async ({ request }) => {
        sent = await request.json();
        await new Promise<void>((resolve) => (respond = resolve));
        saved = { ...saved, ...(sent as object) };
        return answer(saved);
      }),
    );
    const { person } = open();
    const form = await card();
    await person.click(form.getByRole('switch', { name: 'Assign new tickets automatically' }));
    await person.click(form.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(sent).toEqual({ auto_assign: true }));
    await person.click(form.getByRole('switch', { name: 'Count business hours only' }));
    respond();
    expect(await screen.findByText('Settings saved!')).toBeInTheDocument();
    expect(form.getByText('Unsaved: Business hours')).toBeInTheDocument();
  });

  it('finds time zones by city and offset with the keyboard, and keeps the zone on Escape', async () => {
    const { person } = open();
    const form = await card();
    const zone = await form.findByRole('combobox', { name: 'Time zone' });
    const before = (zone as HTMLInputElement).value;
    await person.click(zone);
    expect(screen.getAllByRole('option').length).toBeGreaterThan(300);
    await person.keyboard('nowhere');
    expect(form.getByText(/^No time zone matches/)).toBeInTheDocument();
    await person.keyboard('{Escape}');
    expect(zone).toHaveValue(before);
    await person.keyboard('+5:30 mum');
    const [india, ...others] = screen.getAllByRole('option');
    expect(others).toEqual([]);
    expect(zone).toHaveAttribute('aria-activedescendant', india!.id);
    expect(india).toHaveTextContent('UTC+05:30');
    await person.keyboard('{Enter}');
    expect((zone as HTMLInputElement).value).toMatch(/^Asia\/(Kolkata|Calcutta)$/);
    expect(screen.queryByRole('option')).not.toBeInTheDocument();
    expect(form.getByText('Unsaved: Time zone')).toBeInTheDocument();
    await person.click(screen.getByRole('link', { name: 'Branding' }));
    await person.click(screen.getByRole('link', { name: /^SLA/ }));
    expect((await (await card()).findByLabelText('Time zone')).getAttribute('value')).toMatch(/^Asia/);
  });

  it('copies all time ranges of Monday to every day', async () => {
    saved.business_hours = [{ day: 'mon', from: '08:00', to: '12:00' }];
    const { person } = open();
    const form = await card();
    await person.click(await form.findByRole('button', { name: 'Add hours on Monday' }));
    await person.click(form.getByRole('button', { name: 'Copy Monday to all days' }));
    expect(form.getByLabelText('Sunday 2 from')).toHaveValue('12:00');
    await person.click(form.getByRole('button', { name: 'Discard' }));
    expect(form.getByLabelText('Monday from')).toHaveValue('08:00');
    expect(form.queryByLabelText('Sunday 2 from')).not.toBeInTheDocument();
  });

  it('is not saved while hours overlap or are empty', async () => {
    saved.business_hours = [
      { day: 'mon', from: '08:00', to: '12:00' },
      { day: 'mon', from: '13:00', to: '17:00' },
    ];
    const { person } = open();
    const form = await card();
    fireEvent.change(await form.findByLabelText('Monday 2 from'), { target: { value: '11:00' } });
    expect(form.getByText('The hours of a day overlap')).toBeInTheDocument();
    expect(form.getByRole('button', { name: 'Save' })).toBeDisabled();
    await person.click(form.getByRole('button', { name: 'Remove Monday 2' }));
    await person.click(form.getByRole('button', { name: 'Remove Monday' }));
    expect(form.getByText('Choose at least one day')).toBeInTheDocument();
    expect(form.getByRole('button', { name: 'Save' })).toBeDisabled();
  });
});
