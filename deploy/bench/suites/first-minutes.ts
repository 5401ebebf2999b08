import { setTimeout as pause } from 'node:timers/promises';
import { chromium, type Browser, type BrowserContext, type Locator, type Page } from '@playwright/test';
import { findChromium } from '../../local/chromium.ts';
import { seconds, step } from '../../local/steps.ts';
import { BenchSystem } from '../bench-system.ts';
import type { Report } from '../report.ts';

/** 40 words a minute, an average typist: five characters a word. */
const keyMs = 300;
/** The time that a user needs to find the next control and to click it. */
const lookMs = 1_500;
const goalMs = 180_000;
const size = { organizations: 1, first: 1, each: 1, commented: 0, people: 2 };
const email = 'ada@northwind.example';

/**
 * The first minutes of a new customer, at a user's speed: sign up, confirm the address, name the organization, and do every step of the
 * checklist that requires no decision about the business. One run, because nearly all of its time is the user's.
 */
export async function firstMinutesSuite(signal: AbortSignal): Promise<Report> {
  const system = await BenchSystem.start(signal, size);
  let browser: Browser | undefined;
  try {
    const executablePath = await step('Chromium', (say) => findChromium(say));
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'] });
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const user = new User(context, new URL(system.env('PUBLIC_URL')).origin, system.mailboxUrl);
    await step('the first minutes', () => user.begin());
    return report(user.times);
  } finally {
    await browser?.close();
    await system.stop();
  }
}

class User {
  /** Milliseconds from the landing page to the end of each step. */
  readonly times: { name: string; ms: number }[] = [];
  #begun = 0;
  readonly context: BrowserContext;
  readonly origin: string;
  readonly mailbox: string;

  constructor(context: BrowserContext, origin: string, mailbox: string) {
    this.context = context;
    this.origin = origin;
    this.mailbox = mailbox;
  }

  async begin(): Promise<void> {
    const page = await this.context.newPage();
    this.#begun = performance.now();
    await this.signUp(page);
    await this.confirm(page);
    await this.nameOrganization(page);
    await this.sendTicket(page);
    await this.connectTaskTool(page);
    await this.invite(page);
    await this.copyWidget(page);
  }

  private done(name: string): void {
    this.times.push({ name, ms: performance.now() - this.#begun });
  }

  private async signUp(page: Page): Promise<void> {
    await page.goto(this.origin);
    await click(page.getByRole('banner').getByRole('link', { name: 'Start Free Trial' }));
    await click(page.getByRole('tab', { name: 'Sign Up' }));
    await type(page.getByLabel('First name'), 'Ada');
    await type(page.getByLabel('Email'), email);
    await type(page.getByLabel('Password', { exact: true }), 'a-long-pass-phrase-1');
    await click(page.getByRole('button', { name: 'Sign Up' }));
    await page.getByText('Please check your email to confirm your account.').waitFor();
    this.done('signed up');
  }

  private async confirm(page: Page): Promise<void> {
    // Opening the mailbox and finding the email.
    await pause(2 * lookMs);
    await page.goto(await this.emailedLink('/auth/confirm'));
    await page.waitForURL('**/onboarding');
    this.done('confirmed the address');
  }

  private async emailedLink(path: string): Promise<string> {
    for (let tries = 0; tries < 100; tries += 1) {
      const mails = (await (await fetch(`${this.mailbox}/api/messages`)).json()) as { to: string[]; links: string[] }[];
      const link = mails.flatMap(({ to, links }) => (to.includes(email) ? links : [])).find((each) => each.includes(path));
      if (link !== undefined) return link;
      await pause(100);
    }
    throw new Error(`no email to ${email} has a link to ${path}`);
  }

  private async nameOrganization(page: Page): Promise<void> {
    await type(page.getByLabel('Organization Name'), 'Northwind Coffee');
    await click(page.getByRole('button', { name: 'Create' }));
    await page.waitForURL('**/dashboard');
    await page.getByRole('heading', { name: 'Get started' }).waitFor();
    this.done('sees the dashboard of the organization');
  }

  private async sendTicket(page: Page): Promise<void> {
    const opened = this.context.waitForEvent('page');
    await click(page.getByRole('link', { name: /^Send a test ticket/ }));
    const portal = await opened;
    await type(portal.getByLabel('Email'), email);
    await type(portal.getByLabel('Subject'), 'A first ticket');
    await type(portal.getByLabel('Description'), 'Does it arrive?');
    await click(portal.getByRole('button', { name: /^Submit/ }));
    await portal.getByText(/-0001/).first().waitFor();
    // Without a reload: the dashboard updates the number of tickets live.
    await page.bringToFront();
    await page.getByText('A first ticket').first().waitFor();
    await portal.close();
    this.done('sees a ticket from the portal on the dashboard');
  }

  private async connectTaskTool(page: Page): Promise<void> {
    await click(page.getByRole('link', { name: /^Connect the task tool/ }));
    await click(page.getByRole('button', { name: 'Connect ClickUp' }));
    await click(page.getByRole('button', { name: 'Allow' }));
    const form = page.getByRole('region', { name: 'Create integration' });
    for (const [label, name] of Object.entries({ Workspace: 'Northwind', Space: 'Support', List: 'Customer tickets' })) {
      await click(form.getByRole('combobox', { name: new RegExp(`^${label}\\b`) }));
      await click(page.getByRole('option', { name, exact: true }));
    }
    await click(form.getByRole('button', { name: 'Create integration' }));
    await page.getByText('Integration created successfully', { exact: true }).waitFor();
    this.done('has connected the task tool');
  }

  private async invite(page: Page): Promise<void> {
    await this.toDashboard(page);
    await click(page.getByRole('link', { name: /^Invite a teammate/ }));
    const form = page.getByRole('region', { name: 'Invite a team member' });
    await type(form.getByLabel('Email'), 'grace@northwind.example');
    await click(form.getByRole('button', { name: /invit/i }));
    await page.getByText('grace@northwind.example').first().waitFor();
    this.done('has invited a teammate');
  }

  private async copyWidget(page: Page): Promise<void> {
    await this.toDashboard(page);
    await click(page.getByRole('link', { name: /^Add the widget/ }));
    await click(page.getByRole('button', { name: /^Copy/ }).first());
    this.done('has copied the code of the widget');
  }

  private async toDashboard(page: Page): Promise<void> {
    await click(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Dashboard' }));
  }
}

async function click(target: Locator): Promise<void> {
  await target.waitFor();
  await pause(lookMs);
  await target.click();
}

async function type(field: Locator, text: string): Promise<void> {
  await field.click();
  await field.pressSequentially(text, { delay: keyMs });
}

function report(times: User['times']): Report {
  const total = times.at(-1)!.ms;
  return {
    tables: [
      {
        title: `The first minutes, ${Math.round(60_000 / keyMs / 5)} words a minute, ${seconds(lookMs)} before each click (goal ${seconds(goalMs)})`,
        columns: ['a new user', 'after', 'step'],
        rows: [
          ...times.map(({ name, ms }, index) => [name, seconds(ms), seconds(ms - (times[index - 1]?.ms ?? 0))]),
          [total <= goalMs ? 'goal met' : 'goal missed', seconds(total), ''],
        ],
      },
    ],
    figures: times,
  };
}
