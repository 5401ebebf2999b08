import { Branding, directionOf, languages, replyDelimiter, replyDelimiters } from '@tandem/contracts';
import { translator } from '@tandem/languages';
import type { EmailData, EmailKind } from '../schema';
import { render, type RenderContext } from './render';

const branding: Branding = {
  ...Branding.parse({ organization_id: '01900000-0000-7000-8000-00000000000a' }),
  primary_color: '#FFCC00',
  logo_url: '/api/v1/public/branding-assets/1',
  email_template_header: '<p>Acme, since 1999</p><script>x</script>',
  email_template_footer: '<p>Acme Inc, Main Street</p>',
};
const context: RenderContext = {
  public_url: 'https://tandem.example/',
  is_single_organization: false,
  organization: { name: 'Acme', subdomain: 'acme', support: 'support@acme.mail.example', branding: null },
  to_address: 'ada+1@example.com',
  thread_subject: 'Fwd: AW: [ACM-0007] The printer  is on fire',
  open: () => '',
};
const branded: RenderContext = { ...context, organization: { ...context.organization!, branding } };
const page = 'https://acme.tandem.example/ticket-status/t1?email=ada%2B1%40example.com';
const survey = 'https://acme.tandem.example/survey/t1?email=ada%2B1%40example.com';
const ticket = { ticket_id: 't1', ticket_number: 'ACM-0007', subject: 'Wrong <b>grind</b>', customer_name: 'Ada', by_mail: false };
const reply: EmailData['ticket_reply'] = {
  ...ticket,
  author_name: 'Grace Hopper',
  content: 'Dear Ada,\n\n  indented <i>text</i> & more\n> quoted',
  files: ['a.pdf', '<b>.png'],
  status: 'resolved',
  survey: true,
};
const refused = { ticket_id: 't1', ticket_number: 'ACM-0007', in_reply_to: '<a@b>' };
const kinds: [EmailKind, EmailData[EmailKind], string, string][] = [
  [
    'ticket_created',
    { ...ticket, request: 'The beans are too fine.\nPlease help.' },
    '[ACM-0007] Your ticket has been created',
    'Your ticket ACM-0007 has been created. You will receive updates via email.',
  ],
  ['ticket_reply', reply, '[ACM-0007] New reply to your ticket', 'Dear Ada,'],
  ['ticket_waiting', ticket, '[ACM-0007] We’re waiting for your reply', 'Status: Pending'],
  ['ticket_resolved', { ...ticket, survey: true }, '[ACM-0007] Your ticket has been resolved', 'Status: Resolved'],
  ['survey_invitation', ticket, '[ACM-0007] How did we do?', 'Status: Closed'],
];

it.each(kinds)(
  '%s: contains its message in both parts, starts with the delimiter and links to the page',
  (kind, data, subject, message) => {
    const mail = render(kind, data, context);
    expect(mail.subject).toBe(subject);
    expect(mail.text.split('\n')[0]).toBe(replyDelimiter);
    for (const part of [mail.text, mail.html]) {
      expect(part).toContain(message);
      expect(part).toContain(replyDelimiter);
      if (kind !== 'survey_invitation') expect(part).toContain(page);
    }
    expect(mail.html).toContain('<html dir="ltr" lang="en">');
    expect(mail.html).toContain('prefers-color-scheme:dark');
    expect(mail.html).toContain('max-width:600px');
    expect(mail.html).not.toMatch(/<b>|<i>|<img|<script/);
    expect(mail.text + mail.html).toContain('Powered by Tandem');
  },
);

it('a reply contains its whole text, line by line, and the names of its files', () => {
  const { text, html } = render('ticket_reply', reply, context);
  expect(text).toContain('Grace Hopper from Acme wrote:\n\nDear Ada,\n\n  indented <i>text</i> & more\n> quoted\n');
  expect(text).toContain('Files:\n- a.pdf\n- <b>.png\n');
  expect(html).toMatch(/<p [^>]*>Dear Ada,<\/p><p [^>]*>\u00a0\u00a0indented &lt;i&gt;text&lt;\/i&gt; &amp; more<\/p><blockquote /);
  expect(html).toContain('View your ticket and its files');
});
it('a reply without a status change contains neither status nor survey', () => {
  const { text, html } = render('ticket_reply', { ...reply, status: null, survey: false }, context);
  expect(text + html).not.toMatch(/Status:|\/survey\//);
});
it.each([
  ['ticket_reply', reply],
  ['ticket_resolved', { ...ticket, survey: true }],
  ['survey_invitation', ticket],
] as const)('%s: has five links, one for each rating', (kind, data) => {
  const { text, html } = render(kind, data as EmailData[typeof kind], context);
  for (const rating of [1, 2, 3, 4, 5]) {
    expect(text).toContain(`${survey}&rating=${rating}\n`);
    expect(html).toContain(`href="${survey}&amp;rating=${rating}"`);
  }
  expect(text).toContain('5 Excellent:');
});
it('a thread that the customer started by email has their subject once, with the number', () => {
  const subject = (kind: EmailKind, data: object) => render(kind, { ...data, by_mail: true } as never, context).subject;
  expect(subject('ticket_reply', reply)).toBe('[ACM-0007] Re: The printer is on fire');
  expect(subject('ticket_resolved', ticket)).toBe('[ACM-0007] Re: The printer is on fire');
  // The address may be forged, so the subject of the first, automatic email has no text chosen by a stranger.
  expect(subject('ticket_created', ticket)).toBe('[ACM-0007] Your ticket has been created');
});
it('the notice of a refused email links to a new ticket and has no reply delimiter', () => {
  const { subject, text } = render('reply_refused', refused, context);
  expect(subject).toBe('[ACM-0007] Your reply was not added');
  expect(text).toContain('https://acme.tandem.example/submit-ticket');
  expect(text).toContain('support@acme.mail.example');
  expect(text).not.toContain(replyDelimiter);
});

describe('in the customer’s language', () => {
  const cases = languages.flatMap((language) => kinds.map(([kind, data]) => [language, kind, data] as const));
  it.each(cases)(
    '%s %s: has the language and the direction in its HTML, its delimiter first, and no English sentence',
    (language, kind, data) => {
      const { html, text } = render(kind, data, { ...context, texts: translator('email', language) });
      expect(html).toContain(`<html dir="${directionOf(language)}" lang="${language}">`);
      expect(text.split('\n')[0]).toBe(replyDelimiters[language]);
      if (language !== 'en' && kind !== 'ticket_reply') expect(text).not.toMatch(/\b(?:your|ticket page|Hello|Thanks|This|reply)\b/);
    },
  );
  it('German: is formal, with German quotation marks', () => {
    const { subject, text } = render('ticket_waiting', ticket, { ...context, texts: translator('email', 'de') });
    expect(subject).toBe('[ACM-0007] Wir warten auf Ihre Antwort');
    expect(text).toContain(
      'Guten Tag Ada,\n\num „Wrong <b>grind</b>“ weiter bearbeiten zu können, benötigt Acme noch Informationen von Ihnen.',
    );
    expect(text).toContain('Status: Wartet auf Ihre Antwort');
  });
  it('Arabic: is read from right to left, with names and numbers isolated from the sentence', () => {
    const { html, text } = render('ticket_created', { ...ticket, request: null }, { ...branded, texts: translator('email', 'ar') });
    expect(text).toContain('تم إنشاء تذكرتك \u2068ACM-0007\u2069');
    expect(html).toContain('border-right:3px solid');
    expect(html.match(/<table [^>]*dir="rtl"/g)).toHaveLength(2);
  });
  it('counts files by the rules of the language', () => {
    const action = (files: string[]) =>
      render('ticket_reply', { ...reply, files }, { ...context, texts: translator('email', 'pl') }).text.match(/^Zobacz.*$/m)?.[0];
    expect([[], ['a'], ['a', 'b']].map(action)).toEqual(['Zobacz zgłoszenie:', 'Zobacz zgłoszenie i plik:', 'Zobacz zgłoszenie i pliki:']);
  });
  it('has the header and footer of the language, or the general ones', () => {
    const own = { ...branding, email_templates: { de: { header: '<p>Acme, seit 1999</p>', footer: '' } } };
    const mail = (language: 'de' | 'ar') =>
      render('ticket_waiting', ticket, {
        ...context,
        organization: { ...context.organization!, branding: own },
        texts: translator('email', language),
      }).text;
    expect(mail('de')).toContain('Acme, seit 1999');
    expect(mail('de')).not.toContain('Acme Inc, Main Street');
    expect(mail('ar')).toContain('Acme, since 1999');
  });
  it('uses the organization’s own texts, as text', () => {
    const own = {
      greeting: 'x',
      'greeting.name': 'Moin {name} <script>x',
      'subject.waiting': 'Kurze\nRückfrage',
      'waiting.body': 'Bad {thing}',
    };
    const { subject, html, text } = render('ticket_waiting', ticket, { ...context, texts: translator('email', 'de', own) });
    expect(subject).toBe('[ACM-0007] Kurze Rückfrage');
    expect(text).toContain('um „Wrong');
    expect(html).not.toContain('<script');
  });
});

describe('branding', () => {
  it('is that of the organization in emails to customers', () => {
    const { html, text } = render('ticket_reply', reply, branded);
    expect(html).toContain('src="https://tandem.example/api/v1/public/branding-assets/1"');
    expect(html.match(/https?:\/\/[^"]*\.(png|gif|css|js)|<link/g)).toBeNull();
    expect(html).toContain('background-color:#ffcc00');
    expect(html).toContain('color:#111417');
    expect(html).toContain('<p>Acme, since 1999</p>');
    expect(html).toContain('<p>Acme Inc, Main Street</p>');
    expect(html).not.toContain('<script');
    expect(text).toContain('Acme, since 1999');
    expect(text.indexOf('Acme Inc, Main Street')).toBeGreaterThan(text.indexOf('Dear Ada'));
  });
  it('is not used in emails to staff', () => {
    const { html } = render('staff_assigned', { ...ticket, actor_name: null }, branded);
    expect(html).not.toMatch(/#FFCC00|branding-assets|since 1999|Powered by/);
  });
  it.each(kinds)('can omit the name of the product in %s', (kind, data) => {
    const organization = { ...branded.organization!, branding: { ...branding, hide_powered_by: true } };
    const { html, text, subject } = render(kind, data, { ...context, public_url: 'https://help.example/', organization });
    expect(html + text + subject).not.toMatch(/tandem/i);
  });
});

describe('hostile text', () => {
  const hostile = 'Ada\r\nBcc: all@evil.example\r\n\r\n<img src=x onerror=alert(1)>\u202e\u0000 👩‍👩‍👧 مرحبا';
  it.each(kinds)('is escaped in %s', (kind, data) => {
    const typed = {
      ...data,
      subject: hostile,
      customer_name: hostile,
      content: hostile,
      author_name: hostile,
      files: [hostile],
      by_mail: true,
    };
    const mail = render(kind, typed as never, {
      ...context,
      thread_subject: hostile,
      organization: { ...branded.organization!, name: hostile },
    });
    expect(mail.subject).not.toMatch(/[\r\n\u0000\u202e]/);
    expect(mail.html).not.toMatch(/<img src=x|\u202e|\u0000/);
    expect(mail.text).not.toMatch(/\u202e|\u0000|\r/);
    expect(mail.text).toContain('👩‍👩‍👧 مرحبا');
    expect(mail.text.split('\n')[0]).toBe(replyDelimiter);
  });
});

describe('the confirmation of a request', () => {
  const confirmation = (data: object) => render('ticket_created', { ...ticket, ...data }, context);
  it('repeats it, quoted', () => {
    const { text, html } = confirmation({ request: 'The beans are too fine.\n\nPlease help.' });
    expect(text).toContain('Your request:\n\n> Wrong <b>grind</b>\n>\n> The beans are too fine.\n>\n> Please help.\n');
    expect(html).toContain('The beans are too fine.<br/><br/>Please help.');
  });
  it('repeats its subject only if there is no text', () =>
    expect(confirmation({ request: null }).text).toContain('Your request:\n\n> Wrong <b>grind</b>\n\nView'));
  it.each(['https://evil.example/win', 'www.evil.example', 'HTTP://evil.example', 'evil.example/win', 'a.evil.example/'])(
    'omits the web address %s, because anyone can enter any recipient',
    (address) => {
      const { text, html } = confirmation({ subject: `See ${address} now`, request: `Visit ${address}` });
      expect(text + html).not.toContain('evil.example');
      expect(text).toContain('> See [link] now\n>\n> Visit [link]');
    },
  );
  it('cuts a long request', () => expect(confirmation({ request: 'x'.repeat(9_000) }).text.length).toBeLessThan(3_000));
});

it('a digest has one entry per ticket with its events, and counts the rest', () => {
  const item = { ticket_id: 't1', ticket_number: 'ACM-0007', subject: 'Wrong grind', actor_name: null, event_id: 'e1' };
  const items = [
    { ...item, kind: 'customer_replied' as const, actor_name: 'Ada' },
    { ...item, kind: 'sla_breached' as const, ticket_id: 't2', ticket_number: 'ACM-0008' },
    { ...item, kind: 'customer_replied' as const, actor_name: 'Ada', event_id: 'e2' },
    { ...item, kind: 'assigned' as const, actor_name: 'Grace' },
  ];
  const { subject, text, html } = render('staff_digest', { items, more: 3 }, context);
  expect(subject).toBe('7 updates on your tickets');
  expect(text).toContain(
    'ACM-0007 Wrong grind\n- 2 new replies from Ada\n- Grace assigned it to you\nhttps://tandem.example/tickets/t1\n\nACM-0008 Wrong grind\n- missed its due time\n',
  );
  expect(text).toContain('https://tandem.example/account#notifications');
  expect(html.match(/href="https:\/\/tandem\.example\/tickets\/t1"/g)).toHaveLength(1);
});

describe('the Markdown of a reply', () => {
  const rendered = (content: string, files: string[] = []) => render('ticket_reply', { ...reply, content, files }, context);

  it('is formatted in the HTML part, as it was written in the plain text, and omitted from the preview', () => {
    const content = '**Dear** Ada:\n1. `a`\n2. [Docs](https://docs.example/?a=1&b=2)\n\n```\n<b>x</b>\n```';
    const { html, text } = rendered(content);
    expect(text).toContain(`\n${content}\n`);
    expect(html).toContain('<strong>Dear</strong> Ada:');
    expect(html).toMatch(/<ol [^>]*><li [^>]*><code [^>]*>a<\/code><\/li>/);
    expect(html).toContain('href="https://docs.example/?a=1&amp;b=2"');
    expect(html).toMatch(/<pre [^>]*><code [^>]*>&lt;b&gt;x&lt;\/b&gt;<\/code><\/pre>/);
    expect(html).toContain('Dear Ada: a Docs &lt;b&gt;x&lt;/b&gt;');
  });
  it('cannot contain HTML, scripts or pictures from elsewhere', () => {
    const { html } = rendered('<img src=x onerror=alert(1)> [x](javascript:alert(2)) ![y](https://evil.example/p.png)');
    expect(html).not.toMatch(/<img|<script|href="javascript/);
    expect(html).toMatch(/<a [^>]*href="https:\/\/evil\.example\/p\.png"[^>]*>y<\/a>/);
  });
  it('links to the ticket’s page for a picture among its files, and only names another one', () => {
    const { html } = rendered('![The error](shot.png) ![Other](other.png)', ['shot.png']);
    expect(html).toContain(`>View the picture The error</a>`);
    expect(html).toContain('[Other]');
  });
});
