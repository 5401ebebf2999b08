import { expect, test, type Browser, type Page } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import { uniqueEmail, baseUrl, createOrganization, invite, emailedLink, password, submitSignInForm, signUp } from './fixtures';

/** A browser of another user, or of the same user on another device. */
async function anotherBrowser(browser: Browser): Promise<Page> {
  const context = await browser.newContext();
  return context.newPage();
}

async function signIn(page: Page, email: string, withPassword = password): Promise<void> {
  await page.goto(`${baseUrl()}/auth`);
  await submitSignInForm(page, email, withPassword);
}

test('a password reset by email signs out every device', async ({ page, context, browser }) => {
  const email = await createOrganization(context);
  const elsewhere = await anotherBrowser(browser);
  await signIn(elsewhere, email);
  await expect(elsewhere).toHaveURL(/\/dashboard$/);

  await context.clearCookies();
  await page.goto(`${baseUrl()}/auth`);
  await page.getByLabel('Email').fill(email);
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await page.getByRole('button', { name: 'Send the link' }).click();
  await expect(page.getByRole('status')).toContainText('If that address has an account');

  await page.goto(await emailedLink(page.request, email, '/auth/reset-password'));
  await page.getByLabel('New password').fill('a quite different one 9');
  await page
    .getByRole('button', { name: /password/i })
    .last()
    .click();
  await page.getByRole('link', { name: 'Sign In' }).click();
  await submitSignInForm(page, email, 'a quite different one 9');
  await expect(page).toHaveURL(/\/dashboard$/);

  await elsewhere.reload();
  await expect(elsewhere).toHaveURL(/\/auth$/);
  await elsewhere.context().close();
});

test('an admin invites a teammate, whose open page follows a role change and a deactivation without a reload', async ({
  page,
  context,
  browser,
}) => {
  await createOrganization(context);
  const invited = uniqueEmail('grace');
  await page.goto(`${baseUrl()}/organization-settings`);
  await page.getByLabel('Email').fill(invited);
  await page.getByRole('combobox', { name: 'Role', exact: true }).click();
  await page.getByRole('option', { name: 'Administrator' }).click();
  await page.getByRole('button', { name: 'Send invitation' }).click();
  await expect(page.getByText('Invitation sent!')).toBeVisible();
  await expect(page.getByRole('list', { name: 'Pending invitations' }).getByText(invited)).toBeVisible();

  const teammate = await anotherBrowser(browser);
  await signUp(teammate.context(), invited, 'Grace');
  await teammate.goto(await emailedLink(page.request, invited, '/accept-invitation'));
  await teammate.getByRole('button', { name: 'Accept' }).click();
  await expect(teammate).toHaveURL(/\/dashboard$/);
  await teammate.goto(`${baseUrl()}/organization-settings`);
  await expect(teammate.getByText('Team members')).toBeVisible();

  // The admin's page shows the new member without a reload.
  const row = page.getByRole('region', { name: 'Team members' }).getByRole('listitem').filter({ hasText: invited });
  await row.getByRole('combobox').click();
  await page.getByRole('option', { name: 'Agent' }).click();
  await expect(teammate).toHaveURL(/\/dashboard$/, { timeout: 10_000 });
  await expect(teammate.getByRole('link', { name: 'Organization' })).toHaveCount(0);

  await row.getByRole('switch').click();
  await expect(row.getByText('Inactive')).toBeVisible();
  await expect(teammate).toHaveURL(/\/auth/, { timeout: 10_000 });
  await submitSignInForm(teammate, invited);
  await expect(teammate.getByRole('alert')).toHaveText(/deactivated/);
  await teammate.context().close();
});

test('an invited person without an account signs up, follows the confirmation email and is signed in on the invitation', async ({
  context,
  browser,
}) => {
  await createOrganization(context);
  const invited = uniqueEmail('grace');
  const path = await invite(context, invited);
  const teammate = await anotherBrowser(browser);
  await teammate.goto(`${baseUrl()}${path}`);
  await expect(teammate.getByText('You’re invited.')).toBeVisible();
  await teammate.getByRole('tab', { name: 'Sign Up' }).click();
  await teammate.getByLabel('Email').fill(invited);
  await teammate.getByLabel('Password', { exact: true }).fill(password);
  await teammate.getByRole('button', { name: 'Sign Up' }).click();
  await expect(teammate.getByText('Please check your email to confirm your account.')).toBeVisible();
  await teammate.goto(await emailedLink(context.request, invited, '/auth/confirm'));
  await teammate.getByRole('button', { name: 'Accept' }).click();
  await expect(teammate).toHaveURL(/\/dashboard$/);
  await teammate.context().close();
});

test('a confirmation link that is opened in another browser confirms the address, and that person signs in there', async ({
  page,
  browser,
}) => {
  const email = uniqueEmail();
  await page.goto(`${baseUrl()}/auth?tab=sign-up`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign Up' }).click();
  await expect(page.getByText('Please check your email to confirm your account.')).toBeVisible();
  const elsewhere = await anotherBrowser(browser);
  await elsewhere.goto(await emailedLink(page.request, email, '/auth/confirm'));
  await expect(elsewhere.getByText('Your email is confirmed. You can sign in now.')).toBeVisible();
  await elsewhere.getByRole('link', { name: 'Sign In' }).click();
  await submitSignInForm(elsewhere, email);
  await expect(elsewhere).toHaveURL(/\/onboarding$/);
  await elsewhere.context().close();
});

test('two-factor sign-in accepts codes of an authenticator app and recovery codes', async ({ page, context }) => {
  const email = await createOrganization(context);
  await page.goto(`${baseUrl()}/account`);
  const section = page.getByRole('region', { name: 'Two-factor sign-in' });
  await section.getByRole('button', { name: 'Set up two-factor sign-in' }).click();
  await section.getByLabel('Current password').fill(password);
  await section.getByRole('button', { name: 'Continue' }).click();
  await expect(section.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible();
  const secret = (await section.getByTestId('secret').innerText()).replace(/\s/g, '');
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  await section.getByLabel('Authentication code').fill(totp.generate());
  await section.getByRole('button', { name: 'Turn on' }).click();
  const recovery = await section.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').first().innerText();
  await section.getByRole('button', { name: 'Done' }).click();
  await expect(section.getByText('10 recovery codes are left.')).toBeVisible();

  const signInAgain = async () => {
    await page.getByRole('button', { name: 'Your profile' }).click();
    await page.getByRole('menuitem', { name: 'Sign Out' }).click();
    await expect(page).toHaveURL(/\/auth/);
    await submitSignInForm(page, email);
    await expect(page.getByLabel('Authentication code')).toBeVisible();
  };
  await signInAgain();
  // The code from the setup cannot be used again; the code of the next time step is already accepted.
  await page.getByLabel('Authentication code').fill(totp.generate({ timestamp: Date.now() + 30_000 }));
  await page.getByRole('button', { name: 'Verify' }).click();
  await expect(page).toHaveURL(/\/dashboard$/);

  await signInAgain();
  await page.getByRole('button', { name: 'Use a recovery code instead' }).click();
  await page.getByLabel('Recovery code').fill(recovery);
  await page.getByRole('button', { name: 'Verify' }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
});

test('ending a session from another device signs out its open page immediately', async ({ page, context, browser }) => {
  const email = await createOrganization(context);
  const elsewhere = await anotherBrowser(browser);
  await signIn(elsewhere, email);
  await expect(elsewhere).toHaveURL(/\/dashboard$/);

  await page.goto(`${baseUrl()}/account`);
  const devices = page.getByRole('region', { name: 'Devices' });
  await expect(devices.getByRole('listitem')).toHaveCount(2);
  await devices.getByRole('button', { name: 'Sign out Chrome on Linux' }).click();
  await expect(devices.getByRole('listitem')).toHaveCount(1);
  await expect(elsewhere).toHaveURL(/\/auth/, { timeout: 10_000 });
  // This session remains signed in.
  await page.goto(`${baseUrl()}/dashboard`);
  await expect(page).toHaveURL(/\/dashboard$/);
  await elsewhere.context().close();
});
