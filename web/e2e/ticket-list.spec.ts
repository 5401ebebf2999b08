import { expect, test, type Page } from '@playwright/test';
import { expectNoViolations } from './axe';
import { baseUrl, createOrganization, createTicket } from './fixtures';

const list = (page: Page) => page.getByRole('region', { name: 'Ticket list' });
const row = (page: Page, subject: string) => list(page).getByRole('link', { name: subject, exact: true });
const detail = (page: Page, subject: string) => page.getByRole('article').getByRole('heading', { name: subject, exact: true });

/** Fully visible in the scroll container; Playwright's own check also accepts what the container clips. */
async function expectInView(page: Page, subject: string): Promise<void> {
  await expect(detail(page, subject)).toBeVisible();
  await expect(row(page, subject)).toHaveAttribute('aria-current', 'true');
  await expect(async () => {
    const isInView = await row(page, subject).evaluate((link) => {
      const box = link.closest('[data-scrolls]')?.getBoundingClientRect();
      const own = link.closest('li')?.getBoundingClientRect();
      return box !== undefined && own !== undefined && own.top >= box.top - 1 && own.bottom <= box.bottom + 1;
    });
    expect(isInView).toBe(true);
  }).toPass({ timeout: 5_000 });
}

async function openList(page: Page, count: number, context: Parameters<typeof createOrganization>[0]): Promise<void> {
  await createOrganization(context);
  // Created one by one, because the tests refer to them by their position in the list.
  for (let number = 1; number <= count; number += 1) await createTicket(context, { subject: `Ticket number ${number}`, priority: 'low' });
  await page.setViewportSize({ width: 1440, height: 800 });
  await page.goto(`${baseUrl()}/tickets`);
  await expect(list(page).getByRole('listitem').first()).toBeVisible();
}

const lowestInView = (page: Page): Promise<string> =>
  list(page)
    .locator('[data-scrolls]')
    .evaluate((box) => {
      const { bottom } = box.getBoundingClientRect();
      const rows = [...box.querySelectorAll('[data-row]')].filter((each) => each.getBoundingClientRect().bottom <= bottom);
      return rows.at(-1)?.querySelector('a[data-ticket]')?.textContent ?? '';
    });

async function scrollTo(page: Page, top: number): Promise<void> {
  await list(page)
    .locator('[data-scrolls]')
    .evaluate((box, to) => box.scrollTo(0, to), top);
}

for (const [kind, count] of [
  ['short', 45],
  ['long', 130],
] as const)
  test(`the open ticket is visible in a ${kind} list next to it, regardless of the previous scroll position`, async ({ context }) => {
    const page = await context.newPage();
    await openList(page, count, context);
    const close = async () => {
      const link = page.getByRole('link', { name: 'Close ticket' });
      await link.click();
      // The wide list restores its scroll position when it replaces the narrow one.
      await expect(link).toHaveCount(0);
    };
    const openRow = async (number: number) => {
      await row(page, `Ticket number ${number}`).click();
      await expectInView(page, `Ticket number ${number}`);
    };
    // From the wide list, scrolled to its end and to its start: the narrow list has another stored position each time.
    await expect(async () => {
      await scrollTo(page, 100_000);
      // Not only rendered: the page that has just loaded is below the end that the list was scrolled to.
      await expect(row(page, 'Ticket number 1')).toBeInViewport({ timeout: 500 });
    }).toPass();
    await openRow(2);
    await close();
    await scrollTo(page, 0);
    await openRow(count - 1);
    await close();
    await scrollTo(page, 900);
    const middle = count - 15;
    await openRow(middle);

    // Return to the ticket from another page, after the list was scrolled away from it.
    await scrollTo(page, 100_000);
    await page.getByRole('link', { name: 'Dashboard' }).first().click();
    await expect(page.getByRole('heading', { name: 'Support Dashboard' })).toBeVisible();
    await page.goBack();
    await expectInView(page, `Ticket number ${middle}`);
    await page.reload();
    await expectInView(page, `Ticket number ${middle}`);

    // A row at the lower edge: the rows above it become higher when the list becomes narrow.
    await close();
    let lowest = '';
    await expect(async () => {
      await scrollTo(page, count * 30);
      lowest = await lowestInView(page);
      await expect(row(page, lowest)).toBeInViewport({ timeout: 500 });
    }).toPass();
    await row(page, lowest).click();
    await expectInView(page, lowest);
    // A window that was narrow in between showed the ticket only.
    await page.setViewportSize({ width: 1100, height: 800 });
    await expect(list(page)).toBeHidden();
    await page.setViewportSize({ width: 1440, height: 800 });
    await expectInView(page, lowest);

    // Below the first page of the list, which is all that a reload fetches at first.
    await close();
    await scrollTo(page, 100_000);
    await openRow(3);
    await page.reload();
    await expectInView(page, 'Ticket number 3');
  });

test('s, Escape, r writes a reply and changes nothing', async ({ context }) => {
  await createOrganization(context);
  const { id } = await createTicket(context);
  const page = await context.newPage();
  await page.goto(`${baseUrl()}/tickets/${id}`);
  const status = page.getByRole('combobox', { name: 'Status' });
  await expect(status).toHaveText('Open');
  await expect(page.getByRole('textbox', { name: 'Public reply' })).toBeVisible();
  const changes: string[] = [];
  page.on('request', (request) => request.method() === 'PATCH' && changes.push(request.url()));

  for (const [opens, closes, then] of [
    ['s', 'Escape', 'r'],
    ['s', 'Enter', 'r'],
    ['p', 'Enter', 'u'],
    ['a', 'Escape', 'o'],
  ] as const) {
    await page.keyboard.press(opens);
    await expect(page.getByRole('listbox')).toBeVisible();
    await page.keyboard.press(closes);
    await expect(page.getByRole('listbox')).toBeHidden();
    await page.keyboard.press(then);
    if (then === 'r') {
      await expect(page.getByRole('textbox', { name: 'Public reply' })).toBeFocused();
      await page.keyboard.press('Escape');
    }
  }
  await expect(status).toHaveText('Open');
  await expect(page.getByRole('combobox', { name: 'Priority' })).toHaveText('Medium');
  expect(changes).toEqual([]);
});

test('z undoes a change after moving to another ticket, and the palette finds tickets and actions by keyboard', async ({ context }) => {
  await createOrganization(context);
  const first = await createTicket(context, { subject: 'Parcel without a label' });
  await createTicket(context, { subject: 'Second parcel' });
  const page = await context.newPage();
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto(`${baseUrl()}/tickets/${first.id}`);
  const status = page.getByRole('combobox', { name: 'Status' });
  await expect(status).toHaveText('Open');
  const palette = page.getByRole('dialog', { name: 'Commands' });
  const run = async (text: string, option: RegExp) => {
    await page.keyboard.press('Control+k');
    await page.keyboard.type(text);
    await expect(palette.getByRole('option', { name: option }).first()).toHaveAttribute('aria-selected', 'true');
    await page.keyboard.press('Enter');
    await expect(palette).toBeHidden();
  };
  await page.keyboard.press('Control+k');
  await expect(palette.getByRole('option', { name: /Merge into another ticket/ })).toBeVisible();
  await expectNoViolations(page, 'palette', '[role=dialog]');
  await page.keyboard.press('Escape');
  await run('status: res', /Status: Resolved/);
  await expect(page.getByText('Open → Resolved')).toBeVisible();
  await run('second parcel', /Second parcel/);
  await expect(page.getByRole('heading', { name: 'Second parcel' })).toBeVisible();
  await expectNoViolations(page, 'toast with Undo', '[data-sonner-toaster]');
  await page.keyboard.press('z');
  await expect(page.getByText('Resolved → Open')).toBeVisible();
  await run('parcel without', /Parcel without a label/);
  await expect(status).toHaveText('Open');
});
