import type { EmailData } from '../schema';
import { render, type RenderContext } from '../email/render';
import { aReport } from '../../test/report';
import { changeOf, durationText } from './report';

const context = (name = 'Northwind'): RenderContext => ({
  public_url: 'https://tandem.example/',
  is_single_organization: false,
  organization: { name, subdomain: 'northwind', support: 'support@northwind.mail.example', branding: null },
  to_address: 'ada@example.com',
  thread_subject: null,
  open: () => '',
});
const mail = (changes: Partial<EmailData['staff_report']> = {}, name?: string) => {
  const { frequency, time_zone, analytics } = aReport();
  return render('staff_report', { frequency, time_zone, analytics, unsubscribe_token: 'k1.a-b_c.d', ...changes }, context(name));
};

it('writes hours as hours and minutes', () => {
  const texts = [0, 0.004, 0.75, 0.999, 1, 3 + 1 / 3, 26.5, 1234].map(durationText);
  expect(texts).toEqual(['0 min', '0 min', '45 min', '1 h', '1 h', '3 h 20 min', '26 h 30 min', '1,234 h']);
});

describe('a change', () => {
  const write = (value: number) => value.toFixed(1);
  it.each([
    [2, 1, 'more', { arrow: '▲', text: 'Up from 1.0, better', tone: 'good' }],
    [1, 2, 'more', { arrow: '▼', text: 'Down from 2.0, worse', tone: 'bad' }],
    [2, 1, 'less', { arrow: '▲', text: 'Up from 1.0, worse', tone: 'bad' }],
    [1, 2, 'less', { arrow: '▼', text: 'Down from 2.0, better', tone: 'good' }],
    [2, 1, null, { arrow: '▲', text: 'Up from 1.0', tone: 'neutral' }],
    [1.01, 1, 'less', { arrow: '', text: 'Unchanged', tone: 'neutral' }],
    [null, 1, 'less', { arrow: '', text: 'Was 1.0', tone: 'neutral' }],
    [1, null, 'less', { arrow: '', text: 'No value before', tone: 'neutral' }],
    [null, null, 'less', undefined],
  ] as const)('from %j to %j where %j is better', (current, previous, better, expected) =>
    expect(changeOf(current, previous, { write, better })).toEqual(expected),
  );
});

describe('a report', () => {
  it('has its period in the subject and the same figures in both parts', () => {
    const { subject, text, html } = mail();
    expect(subject).toBe('Weekly report: Nov 9 – 15, 2026 · Northwind');
    expect(text).toContain('The figures of Northwind, compared with the period before: Nov 2 – 8, 2026.');
    const figures = [
      ['Total tickets', '42', '▲', 'Up from 35'],
      ['Open tickets', '5', '', 'Unchanged'],
      ['First response (median)', '45 min', '▼', 'Down from 1 h 6 min, better'],
      ['Resolution (median)', '6 h 30 min', '▲', 'Up from 5 h 15 min, worse'],
      ['Satisfaction', '4.4 of 5', '▼', 'Down from 4.6 of 5, worse'],
      ['SLA compliance', '90.5%', '▲', 'Up from 85.7%, better'],
      ['Escalation rate', '2.4%', '▲', 'Up from 0%, worse'],
    ] as const;
    for (const [label, value, arrow, change] of figures) {
      expect(text).toContain(`\n${label}: ${value} (${arrow === '' ? '' : `${arrow} `}${change})\n`);
      expect(html).toContain(`>${label}</th>`);
      expect(html).toMatch(new RegExp(`>${value}<div class="(good|bad|soft)"[^>]*>(<span aria-hidden="true">${arrow} </span>)?${change}<`));
    }
  });

  it('has three charts, each with a sentence and its figures as text', () => {
    const { text, html } = mail();
    expect(text).toContain(
      [
        'Created and resolved per day',
        '42 tickets were created and 35 resolved. The busiest day was Tue, Nov 10 with 12.',
        'Mon, Nov 9: 9 created, 6 resolved',
      ].join('\n'),
    );
    expect(text).toContain(
      'Tickets by priority\nThe most frequent priority was medium: 22 of 42 tickets.\nUrgent: 3\nHigh: 9\nMedium: 22\nLow: 8\n',
    );
    expect(text).toContain(
      'SLA compliance by priority\n4 of 42 tickets missed a due time: 90.5% compliance.\nUrgent: 66.7% on time, 1 missed\n',
    );
    expect(html.match(/<h2/g)).toHaveLength(3);
    expect(html).toContain('42 tickets were created and 35 resolved.');
    // The longest bar has the full width, half its value has half the width, and zero has no bar.
    expect(html).toMatch(/width="45%"[^>]*>[^<]*<\/td><td[^>]*>12</);
    expect(html).toMatch(/width="23%"[^>]*>[^<]*<\/td><td[^>]*>6</);
    expect(html).toMatch(/<tr><td[^>]*>0<\/td><\/tr>/);
    expect(html.match(/<img/g)).toHaveLength(1);
  });

  it('links to the page of its period, and to the page that stops it', () => {
    const { text, html, unsubscribe } = mail();
    expect(text).toContain('\nhttps://tandem.example/analytics?from=2026-11-09&to=2026-11-15\n');
    expect(html).toContain('href="https://tandem.example/analytics?from=2026-11-09&amp;to=2026-11-15"');
    expect(unsubscribe).toBe('https://tandem.example/api/v1/unsubscribe?token=k1.a-b_c.d');
    expect(text).toContain(`every Monday. Days start at midnight in Europe/Berlin. To stop receiving it:\n${unsubscribe}\n`);
    expect(html).toContain(`href="${unsubscribe}"`);
  });

  it('of a month lists each of its days', () => {
    const { analytics } = aReport();
    const per_day = Array.from({ length: 31 }, (_, index) => ({
      ...analytics.per_day[0]!,
      day: `2026-10-${String(index + 1).padStart(2, '0')}`,
    }));
    const period = { ...analytics.period, from: '2026-10-01', to: '2026-10-31' };
    const { subject, text, html } = mail({ frequency: 'monthly', analytics: { ...analytics, per_day, period } });
    expect(subject).toBe('Monthly report: Oct 1 – 31, 2026 · Northwind');
    expect(text.match(/^\w{3}, Oct \d+: 9 created, 6 resolved$/gm)).toHaveLength(31);
    // Gmail cuts off emails of more than 102 KB, and with them the unsubscribe link.
    expect(Buffer.byteLength(html)).toBeLessThan(80_000);
  });

  it('without tickets has em dashes instead of averages, and sentences instead of empty charts', () => {
    const { analytics } = aReport();
    const figures = Object.fromEntries(
      Object.entries(analytics.figures).map(([name, value]) => [
        name,
        Array.isArray(value) ? [0, 0, 0, 0, 0] : /^(avg|median|p90)_|_rate$|compliance/.test(name) ? null : 0,
      ]),
    ) as typeof analytics.figures;
    const { text, html } = mail({
      analytics: {
        ...analytics,
        figures,
        previous: { ...analytics.previous, figures },
        per_day: analytics.per_day.map((day) => ({ ...day, created: 0, resolved: 0 })),
        by_priority: analytics.by_priority.map(({ key }) => ({ key, count: 0, breaches: 0 })),
      },
    });
    expect(text).toContain('\nTotal tickets: 0 (Unchanged)\n');
    expect(text).toContain('\nFirst response (median): —\n');
    expect(text).toContain('\nSLA compliance: —\n');
    expect(text).toContain('Created and resolved per day\nNo tickets were created or resolved.\n\n');
    expect(text).toContain('SLA compliance by priority\nNo tickets were created.\n\n');
    expect(text + html).not.toMatch(/NaN|null|undefined|Infinity/);
  });

  it('shows a priority without tickets without a rate', () => {
    const { analytics } = aReport();
    const by_priority = analytics.by_priority.map((each) => (each.key === 'urgent' ? { ...each, count: 0, breaches: 0 } : each));
    expect(mail({ analytics: { ...analytics, by_priority } }).text).toContain('\nUrgent: — on time, 0 missed\n');
  });

  it('escapes and shortens the names of organizations and time zones', () => {
    const { subject, text, html } = mail({ time_zone: '<b>Berlin</b>\r\nX: y' }, `<img src=x>\r\nBcc: all@evil.example ${'x'.repeat(300)}`);
    expect(subject).toMatch(/^Weekly report: Nov 9 – 15, 2026 · <img src=x> Bcc: all@evil.example x+…$/);
    expect(subject).toHaveLength(120);
    expect(html).not.toMatch(/<img src=x|<b>/);
    expect(text).not.toContain('\r');
    expect(text).toContain('in <b>Berlin</b> X: y. To stop');
  });
});
