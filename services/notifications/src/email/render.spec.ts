import { Branding } from '@tandem/contracts';
import type { EmailData, EmailKind } from '../schema';
import { render, type RenderContext } from './render';

const context: RenderContext = {
  public_url: 'https://tandem.example/',
  is_single_organization: false,
  organization: null,
  to_address: 'ada@example.com',
  thread_subject: null,
  open: (purpose, sealed) => `${purpose}+${sealed}`,
};
const own = { support: 'support@northwind.mail.example', branding: null };
const northwind: RenderContext = { ...context, organization: { ...own, name: 'Northwind <Outfitters>', subdomain: 'northwind' } };
const invited: EmailData['invitation'] = {
  invited_by: 'Grace Hopper',
  role: 'manager',
  expires_at: '2026-11-27T23:59:00.000Z',
  sealed_token: 'x',
};

describe('an email with a token', () => {
  const links: [EmailKind, string, string][] = [
    ['confirm_email', '/auth/confirm', 'email-confirmation'],
    ['password_reset', '/auth/reset-password', 'password-reset'],
    ['confirm_email_change', '/auth/confirm-email-change', 'email-change'],
    ['invitation', '/accept-invitation', 'invitation'],
  ];
  it.each(links)('%s links to its page on the configured host with the decrypted token', (kind, path, purpose) => {
    const { text, html } = render(kind, { ...invited, first_name: null }, northwind);
    const link = `https://tandem.example${path}?token=${encodeURIComponent(`${purpose}+x`)}`;
    expect(text).toContain(`\n${link}\n`);
    expect(html).toContain(`href="${link}"`);
  });
  it.each(links)('%s cannot be rendered after its token has been removed', (kind) => {
    const { sealed_token: _, ...sent } = invited;
    expect(() => render(kind, { ...sent, first_name: null }, northwind)).toThrow('The token of this email was removed');
  });
});

describe('a link to the portal', () => {
  const survey = (branding: Branding | null, is_single_organization = false) => {
    const ticket = { ticket_id: 'id', ticket_number: 'NOR-0001', subject: 'x', customer_name: null, by_mail: false };
    const organization = { ...own, name: 'Northwind', subdomain: 'northwind', branding };
    return render('survey_invitation', ticket, { ...context, is_single_organization, organization }).text;
  };
  const branding = Branding.parse({ organization_id: '01980000-0000-7000-8000-000000000001', custom_domain: 'help.northwind.example' });
  it('uses the custom domain while it is verified, and the subdomain otherwise', () => {
    expect(survey({ ...branding, custom_domain_verified: true })).toContain('https://help.northwind.example/survey/id?email=');
    expect(survey(branding)).toContain('https://northwind.tandem.example/survey/id?email=');
    expect(survey(null)).toContain('https://northwind.tandem.example/survey/id?email=');
  });
  it('uses the custom domain of a single organization, and the product’s host otherwise', () => {
    expect(survey({ ...branding, custom_domain_verified: true }, true)).toContain('https://help.northwind.example/survey/id?email=');
    expect(survey(branding, true)).toContain('https://tandem.example/survey/id?email=');
  });
});

describe('an invitation', () => {
  it('contains the organization, the inviter, the role and the last day', () => {
    const { subject, text } = render('invitation', invited, northwind);
    expect(subject).toBe('Invitation to join Northwind <Outfitters>');
    expect(text).toContain('Grace Hopper has invited you to the support team of Northwind <Outfitters>, as a manager.');
    expect(text).toContain('until Nov 27, 2026, 11:59 PM UTC');
  });
  it('has a subject of one line', () => {
    const organization = { ...own, name: 'North\r\nBcc: everybody', subdomain: null };
    expect(render('invitation', invited, { ...context, organization }).subject).toBe('Invitation to join North Bcc: everybody');
  });
  it('escapes user input', () =>
    expect(render('invitation', invited, northwind).html).toContain('Join Northwind &lt;Outfitters&gt; on Tandem'));
  it.each(['Visit evil.example now', 'http://evil.example', 'You won 1000 €', 'a'.repeat(81), null])(
    'omits %j as the name of the inviter',
    (invited_by) => {
      const { text, html } = render('invitation', { ...invited, invited_by }, northwind);
      expect(text).toContain('An admin has invited you');
      if (invited_by !== null) expect(text + html).not.toContain(invited_by);
    },
  );
  it.each(['Your parcel: evil.example/pay', 'https://evil.example', 'Write to me@evil.example', 'x'.repeat(61)])(
    'omits %j as the name of the organization',
    (name) => {
      const { subject, text, html } = render('invitation', invited, { ...context, organization: { ...own, name, subdomain: 'acme' } });
      expect(subject).toBe('Invitation to join a support team');
      expect(text + html).not.toContain('evil.example');
    },
  );
  it.each(['Müller & Söhne Inc.', 'St. Gallen', 'Nr. 7'])('contains %j as the name of the organization', (name) =>
    expect(render('invitation', invited, { ...context, organization: { ...own, name, subdomain: 'acme' } }).subject).toBe(
      `Invitation to join ${name}`,
    ),
  );
  it.each(["Siobhán O'Neil", '李 小龙', 'grace+work@example.com'])('contains %j as the name of the inviter', (invited_by) =>
    expect(render('invitation', { ...invited, invited_by }, northwind).text).toContain(`${invited_by} has invited you`),
  );
});

describe('the email about a changed account', () => {
  it.each([
    ['password_changed', 'Your password was changed'],
    ['email_changed', 'Your email address was changed'],
    ['mfa_enabled', 'Two-factor sign-in is on'],
    ['mfa_disabled', 'Two-factor sign-in is off'],
  ] as const)('describes what has happened: %s', (what, subject) =>
    expect(render('account_changed', { first_name: 'Ada', what }, context)).toMatchObject({
      subject,
      text: expect.stringContaining('Hello Ada,') as string,
    }),
  );
  it('offers a password reset, except to a previous address of the account', () => {
    const link = 'https://tandem.example/auth/forgot-password';
    expect(render('account_changed', { first_name: null, what: 'password_changed' }, context).text).toContain(link);
    expect(render('account_changed', { first_name: null, what: 'email_changed' }, context).text).not.toContain('https://');
  });
});

describe('an email about the deletion of the organization', () => {
  const deletion = {
    organization_id: '01980000-0000-7000-8000-000000000001',
    organization_name: 'Northwind\r\nBcc: x@example.com',
    actor_name: 'Grace Okafor',
    requested_at: '2026-11-24T10:00:00.000Z',
    delete_at: '2026-12-08T10:00:00.000Z',
  };
  const of = (what: 'deletion_requested' | 'deletion_due' | 'deletion_cancelled' | 'deleted', actor_name: string | null = 'Grace Okafor') =>
    render('account_changed', { first_name: 'Ada', what, deletion: { ...deletion, actor_name } }, context);
  const name = 'Northwind Bcc: x@example.com';

  it.each([
    ['deletion_requested', `${name} will be deleted on Dec 8, 2026, 10:00 AM UTC`],
    ['deletion_due', `Reminder: ${name} will be deleted on Dec 8, 2026, 10:00 AM UTC`],
  ] as const)('names who requested it, when it happens and how to cancel: %s', (what, subject) => {
    const email = of(what);
    expect(email.subject).toBe(subject);
    for (const part of ['Hello Ada,', 'Grace Okafor requested', 'Nov 24, 2026', 'cancel in Settings', '/settings?tab=organization'])
      expect(email.text).toContain(part);
  });

  it('reports a cancellation and the end, without links to the organization', () => {
    const [cancelled, deleted] = [of('deletion_cancelled', null), of('deleted')];
    expect([cancelled.subject, deleted.subject]).toEqual([`${name} won’t be deleted`, `${name} and your account were deleted`]);
    expect(cancelled.text).toContain('An admin cancelled');
    for (const { text } of [cancelled, deleted]) expect(text).not.toContain('/settings');
  });
});

it('an email about an account has the branding of the product', () => {
  const { subject, text } = render('account_exists', { first_name: null }, context);
  expect(subject).toBe('You already have an account');
  expect(text).toContain('-- \nTandem');
});

describe('an email to staff', () => {
  const ticket = { ticket_id: 't1', ticket_number: 'NC-0042', subject: 'Wrong <b>grind</b>\r\nBcc: x', actor_name: 'Grace "G" Hopper' };
  const due = { clock: 'response' as const, at: '2026-11-27T23:59:00.000Z' };
  const mails = [
    ['staff_assigned', ticket, 'NC-0042 is assigned to you', 'Grace "G" Hopper has assigned this ticket to you.'],
    ['staff_mention', ticket, 'You are mentioned in NC-0042', 'Grace "G" Hopper mentioned you in this ticket.'],
    ['staff_customer_replied', ticket, 'New reply in NC-0042', 'Grace "G" Hopper has replied to this ticket.'],
    [
      'staff_sla',
      { ...ticket, what: 'sla_warning', due },
      'NC-0042 is due soon',
      'The first response to this ticket is due Nov 27, 2026, 11:59 PM UTC.',
    ],
    [
      'staff_sla',
      { ...ticket, what: 'sla_breached', due },
      'NC-0042 has missed its due time',
      'The first response to this ticket was due Nov 27,',
    ],
    [
      'staff_sla',
      { ...ticket, what: 'sla_warning', due: { ...due, time_zone: 'America/New_York', counts_working_time: true } },
      'NC-0042 is due soon',
      'is due Nov 27, 2026, 6:59 PM EST, counted in business hours.',
    ],
    [
      'staff_sla',
      { ...ticket, what: 'escalated', due: null },
      'NC-0042 has been escalated',
      'This ticket has been open for longer than its policy',
    ],
  ] as const;

  it.each(mails)('%s %#: contains subject, actor, link and the link to turn it off', (kind, data, heading, sentence) => {
    const { subject, text, html } = render(kind, data as EmailData[typeof kind], northwind);
    expect(subject).toBe(`${heading}: Wrong <b>grind</b> Bcc: x`);
    expect(text).toContain(sentence);
    expect(text).toContain('\nhttps://tandem.example/tickets/t1\n');
    expect(text).toContain('\nhttps://tandem.example/account#notifications\n');
    expect(html).toContain('href="https://tandem.example/tickets/t1"');
    expect(html).toContain('href="https://tandem.example/account#notifications"');
    expect(html).not.toContain('<b>');
  });
  it('about a comment contains it, and marks an internal note', () => {
    const note = { ...ticket, content: 'Please <i>check</i>\nthe grinder', is_internal: true };
    const { text, html } = render('staff_mention', note, northwind);
    expect(text).toContain('Internal note:\n\n> Wrong <b>grind</b> Bcc: x\n>\n> Please <i>check</i>\n> the grinder\n');
    expect(html).toContain('Please &lt;i&gt;check&lt;/i&gt;<br/>the grinder');
    expect(html).toContain('class="note"');
    expect(render('staff_mention', { ...note, is_internal: false }, northwind).html).not.toContain('class="note"');
    expect(render('staff_customer_replied', { ...ticket, content: 'Any news?' }, northwind).text).toContain('> Any news?');
  });
  it('has the logo of the product and one button', () => {
    const { html } = render('staff_assigned', ticket, northwind);
    expect(html).toContain('src="https://tandem.example/email-logo.png"');
    expect(html.match(/class="button"/g)).toHaveLength(1);
  });
  it('has a subject of a reasonable length', () => {
    const { subject } = render('staff_assigned', { ...ticket, subject: 'x'.repeat(5_000) }, northwind);
    expect(subject).toHaveLength(120);
  });
  it('names no actor for a system event', () =>
    expect(render('staff_assigned', { ...ticket, actor_name: null }, northwind).text).toContain('This ticket has been assigned to you.'));
});
