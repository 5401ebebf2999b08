import { expect, test } from '@playwright/test';
import { baseUrl, call, createPortal, createTicket, uniqueEmail } from './fixtures';

const settings = () => `${baseUrl()}/settings?tab=fields`;

test('a field is added in the settings, filled in by a customer, and required before the ticket is resolved', async ({ context, page }) => {
  const portal = await createPortal(context);
  await page.goto(settings());
  await page.getByRole('button', { name: /^Product/ }).click();
  await expect(page.getByRole('textbox', { name: 'Key' })).toHaveValue('product');
  const options = page.getByRole('region', { name: 'Options' });
  await options.getByRole('textbox').first().fill('Grinder');
  await options.getByRole('textbox').first().press('Enter');
  await page.keyboard.type('Kettle');
  await page.getByRole('combobox', { name: 'Customer forms' }).click();
  await page.getByRole('option', { name: 'Required' }).click();
  await page.getByRole('checkbox', { name: 'Shown to customers' }).check();
  await page.getByRole('button', { name: 'Create field' }).click();
  await expect(page.getByText('Field created')).toBeVisible();
  await call(context, 'post', '/custom-fields', { key: 'cause', type: 'text', label: 'Cause', required_to_resolve: true });

  const email = uniqueEmail('vera');
  await page.goto(`${portal}/submit-ticket`);
  await page.getByRole('textbox', { name: 'Subject' }).fill('It does not turn on');
  await page.getByRole('textbox', { name: 'Email' }).fill(email);
  await page.getByRole('button', { name: 'Submit ticket' }).click();
  await expect(page.getByRole('combobox', { name: 'Product' })).toBeFocused();
  await page.getByRole('combobox', { name: 'Product' }).selectOption('Kettle');
  await page.getByRole('button', { name: 'Submit ticket' }).click();
  await expect(page).toHaveURL(/\/ticket-status\/[0-9a-f-]{36}\?email=/);
  await expect(page.getByRole('definition').filter({ hasText: 'Kettle' })).toBeVisible();

  const [ticket] = (await call(context, 'get', `/tickets?customer_email=${encodeURIComponent(email)}`)) as unknown as { id: string }[];
  await page.goto(`${baseUrl()}/tickets/${ticket!.id}`);
  await expect(page.getByRole('combobox', { name: 'Product' })).toHaveText('Kettle');
  await page
    .getByRole('button', { name: /^Status/ })
    .or(page.getByRole('combobox', { name: /^Status/ }))
    .first()
    .click();
  await page
    .getByRole('option', { name: 'Resolved' })
    .or(page.getByRole('menuitemradio', { name: 'Resolved' }))
    .first()
    .click();
  const dialog = page.getByRole('dialog', { name: 'Fill in before resolving' });
  await dialog.getByRole('textbox', { name: 'Cause' }).fill('Loose cable');
  await dialog.getByRole('button', { name: 'Save and resolve' }).click();
  await expect(dialog).toBeHidden();
  await expect.poll(async () => (await call(context, 'get', `/tickets/${ticket!.id}`)).status).toBe('resolved');
});

test('the list is filtered by a condition on a field, and sorted by one', async ({ context, page }) => {
  await createPortal(context);
  const options = [
    { value: 'basic', label: 'Basic' },
    { value: 'pro', label: 'Pro' },
  ];
  await call(context, 'post', '/custom-fields', { key: 'plan', type: 'choice', label: 'Plan', options });
  await call(context, 'post', '/custom-fields', { key: 'seats', type: 'number', label: 'Seats' });
  for (const [subject, plan, seats] of [
    ['Ten', 'pro', 10],
    ['Nine', 'pro', 9],
    ['Two', 'basic', 2],
  ] as const)
    await createTicket(context, { subject, custom_fields: { plan, seats } });
  const condition = JSON.stringify({ field: 'custom_fields.plan', op: 'is_any_of', value: ['pro'] });
  await page.goto(`${baseUrl()}/tickets?condition=${encodeURIComponent(condition)}&sort=custom_fields.seats`);
  await expect(page.getByText('Plan is Pro')).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Sort' })).toHaveText('By Seats');
  const subjects = page.getByRole('link', { name: /^(Ten|Nine|Two)/ });
  await expect(subjects).toHaveCount(2);
  expect((await subjects.allTextContents()).map((text) => /Ten|Nine/.exec(text)?.[0])).toEqual(['Nine', 'Ten']);
});
