import { replyDelimiter, replyDelimiters } from '@tandem/contracts';
import { runWithKillLimit } from '@tandem/testing';
import { splitReply } from './quotes';

const text = (...lines: string[]) => lines.join('\n');
const old = ['> Hello Carla,', '>', '> have you tried turning it off?', '> Ada'];
const bare = ['Hello Carla,', '', 'have you tried turning it off?', 'Ada'];

describe('a reply above its quote', () => {
  it.each([
    ['Gmail', ['On Fri, Nov 20, 2026 at 10:00 AM Acme Support <support@acme.test> wrote:', '', ...old]],
    ['Gmail, broken over lines', ['On Fri, Nov 20, 2026 at 10:00 AM Acme Support <', 'support@acme.test> wrote:', '', ...old]],
    ['Apple Mail', ['> On 20. Nov 2026, at 10:00, Acme Support <support@acme.test> wrote:', '>', ...old]],
    ['Thunderbird', ['On 11/20/26 10:00, Acme Support wrote:', ...old]],
    ['Yahoo', ['    On Friday, November 20, 2026 at 10:00:00 AM GMT+1, Acme Support <support@acme.test> wrote:  ', ' ', ...bare]],
    ['Proton', ['On Friday, November 20th, 2026 at 10:00 AM, Acme Support <support@acme.test> wrote:', '', ...old]],
    [
      'Outlook',
      [
        'From: Acme Support <support@acme.test>',
        'Sent: Friday, November 20, 2026 10:00 AM',
        'To: Carla',
        'Subject: Re: Printer',
        '',
        ...bare,
      ],
    ],
    [
      'Outlook on the web',
      [
        '________________________________',
        'From: Acme Support <support@acme.test>',
        'Sent: Friday',
        'To: Carla',
        'Subject: Re',
        '',
        ...bare,
      ],
    ],
    [
      'Outlook in German',
      ['Von: Acme <support@acme.test>', 'Gesendet: Freitag, 20. November 2026 10:00', 'An: Carla', 'Betreff: Re', '', ...bare],
    ],
    ['an old Outlook', ['-----Original Message-----', 'From: Acme', 'Sent: Friday', 'To: Carla', 'Subject: Re', '', ...bare]],
    ['a telephone', ['Sent from my iPhone', '', '> On 20 Nov 2026, at 10:00, Acme <support@acme.test> wrote:', ...old]],
    [
      'Outlook on a telephone',
      [
        'Get Outlook for iOS<https://aka.ms/o0ukef>',
        '________________________________',
        'From: Acme <a@acme.test>',
        'Sent: Friday',
        'To: C',
        'Subject: Re',
        ...bare,
      ],
    ],
    ['German', ['Am Fr., 20. Nov. 2026 um 10:00 Uhr schrieb Acme Support <support@acme.test>:', '', ...old]],
    ['French', ['Le ven. 20 nov. 2026 à 10:00, Acme Support <support@acme.test> a écrit :', '', ...old]],
    ['Spanish', ['El vie, 20 nov 2026 a las 10:00, Acme Support (<support@acme.test>) escribió:', '', ...old]],
    ['Japanese', ['2026年11月20日(金) 10:00 Acme Support <support@acme.test>:', '', ...old]],
    ['Chinese', ['Acme Support <support@acme.test> 于2026年11月20日周五 10:00写道：', '', ...old]],
    ['Russian', ['пт, 20 нояб. 2026 г. в 10:00, Acme Support <support@acme.test>:', '', ...old]],
    ['Polish', ['pt., 20 lis 2026 o 10:00 Acme Support <support@acme.test> napisał(a):', '', ...old]],
    [
      'a signature before',
      ['-- ', 'Carla Client', 'Example Ltd.', '', 'On Fri, Nov 20, 2026 at 10:00 AM Acme <a@acme.test> wrote:', ...old],
    ],
    ['no attribution', old],
  ])('is all that is left: %s', (_, quote) => {
    const { reply, quoted_text } = splitReply(text('Yes, twice.', '', 'Carla', '', ...quote));
    expect(reply).toBe('Yes, twice.\n\nCarla');
    expect(quoted_text).toContain('have you tried turning it off?');
  });
});

it.each([
  ['one line', text('Yes.', 'On 04/19/2026 07:10 AM, Ada wrote:', ...old)],
  ['two lines', text('Yes.', 'On Fri, Nov 20, 2026 at 10:00 AM Acme Support <', 'support@acme.test> wrote:', ...old)],
  ['no quote', text('Yes.', 'Den 20 november 2026 10:00, Ada (ada@acme.test) skrev:', ...bare)],
])('a line directly above an attribution of %s is not part of it', (_, mail) => {
  expect(splitReply(mail).reply).toBe('Yes.');
});

it('the text before an attribution on the same line is kept', () => {
  expect(splitReply(text('One', 'Two On Wed, Apr 4, 2026 at 3:59 PM, ada@acme.test wrote:', ...old)).reply).toMatch(/^One\nTwo/);
});

describe('our reply delimiter', () => {
  it.each([
    ['bare', [replyDelimiter, '', ...bare]],
    ['quoted, with an attribution', ['On Fri, Nov 20, 2026 at 10:00 AM Acme <a@acme.test> wrote:', '', `> ${replyDelimiter}`, '>', ...old]],
    ['in an unknown language', ['20/11/2026 Acme pisze tak:', `> > ${replyDelimiter}`, ...old]],
  ])('ends the reply: %s', (_, quote) => {
    expect(splitReply(text('Yes.', '', ...quote)).reply).toMatch(/^Yes\.(\n\n20\/11\/2026 Acme pisze tak:)?$/);
  });
  it.each(Object.entries(replyDelimiters))('ends the reply in %s', (_language, delimiter) =>
    expect(splitReply(text('Yes.', '', `> ${delimiter}`, '>', ...old)).reply).toBe('Yes.'),
  );
  it('keeps replies between the quoted lines below it', () => {
    const mail = text(
      'See below.',
      '',
      'On Fri, Nov 20, 2026 at 10:00 Acme <a@acme.test> wrote:',
      `> ${replyDelimiter}`,
      '> Which printer?',
      'The red one.',
      '> Since when?',
      'Noon.',
    );
    expect(splitReply(mail).reply).toContain('The red one.');
    expect(splitReply(mail).reply).toContain('Noon.');
  });
});

describe('replies in other positions', () => {
  it('below the quote are kept', () => {
    const mail = text('On 11/20/26 10:00, Acme wrote:', ...old, '', 'Yes, twice.');
    expect(splitReply(mail)).toEqual({ reply: 'Yes, twice.', quoted_text: text('On 11/20/26 10:00, Acme wrote:', ...old) });
  });
  it('between the quoted lines are kept with the quote', () => {
    const mail = text('On 11/20/26 10:00, Acme wrote:', '> Which printer?', 'The red one.', '> Since when?', 'Noon.');
    expect(splitReply(mail).reply).toBe(mail);
  });
});

describe('text that is not a quote', () => {
  it.each([
    [
      'a forwarded mail',
      text(
        'Please look.',
        '',
        '---------- Forwarded message ---------',
        'From: Bob <bob@example.com>',
        'Date: Fri',
        'Subject: X',
        'To: Carla',
        '',
        'It burns.',
      ),
    ],
    [
      'a mail forwarded by Apple Mail',
      text(
        'Look.',
        '',
        'Begin forwarded message:',
        '',
        '> From: Bob <b@example.com>',
        '> Subject: X',
        '> Date: Fri',
        '>',
        '> It burns.',
        'And still does.',
      ),
    ],
    ['a plain mail', text('Hello', '', 'On Monday it burned.', 'From: the beginning', 'I wrote: help')],
    ['a journey', text('I fly', '', 'From: Berlin', 'To: Paris', 'Date: Friday', '', 'Can you help?')],
    ['dashes', text('One', '---', 'Two')],
    ['only a quote', text(...old)],
    ['nothing', ''],
  ])('stays: %s', (_, mail) => {
    expect(splitReply(mail)).toEqual({ reply: mail.trim(), quoted_text: null });
  });
  it('is kept with the forwarded message', () => {
    const mail = text('FYI', '', 'From: Bob <b@example.com>', 'Sent: Friday', 'To: Carla', 'Subject: Fire', '', 'It burns.');
    expect(splitReply(mail, undefined, true).quoted_text).toBeNull();
  });
});

describe('the quote markup of email programs in HTML', () => {
  it.each([
    [
      'Gmail',
      '<div dir="ltr">Yes, twice.</div><br><div class="gmail_quote"><div class="gmail_attr">Pada hari Jum, 20 Nov 2026 Acme menulis:</div><blockquote class="gmail_quote">Old words</blockquote></div>',
    ],
    [
      'Outlook on the web',
      '<div>Yes, twice.</div><div id="appendonsend"></div><hr><div id="divRplyFwdMsg"><b>Lähettäjä:</b> Acme</div><div>Old words</div>',
    ],
    [
      'Outlook',
      '<p>Yes, twice.</p><div><div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm"><p><b>Od:</b> Acme</p></div></div><p>Old words</p>',
    ],
    ['Yahoo', '<div>Yes, twice.</div><div class="yahoo_quoted"><div>Acme, 20/11:</div><div>Old words</div></div>'],
    [
      'Proton',
      '<div>Yes, twice.</div><div class="protonmail_quote">Acme:<br><blockquote class="protonmail_quote" type="cite">Old words</blockquote></div>',
    ],
    ['Thunderbird', '<p>Yes, twice.</p><div class="moz-cite-prefix">Acme sanoi:<br></div><blockquote type="cite">Old words</blockquote>'],
    [
      'Apple Mail',
      '<div>Yes, twice.</div><div><br><blockquote type="cite"><div>On 20 Nov 2026, at 10:00, Acme &lt;a@acme.test&gt; wrote:</div>Old words</blockquote></div>',
    ],
  ])('end the reply: %s', (_, html) => {
    const { reply, quoted_text } = splitReply('Yes, twice.\n\nOld words', html);
    expect(reply).toContain('Yes, twice.');
    if (_ !== 'Apple Mail') expect([reply, quoted_text]).toEqual(['Yes, twice.', expect.stringContaining('Old words')]);
  });
  it('keeps replies between the lines of a Gmail quote', () => {
    const html =
      '<div>See below</div><div class="gmail_quote"><div>On Fri, 20 Nov 2026 Acme wrote:</div><blockquote>Which?</blockquote><div>The red one.</div><blockquote>When?</blockquote><div>Noon.</div></div>';
    expect(splitReply('See below', html).reply).toMatch(/^See below/);
    expect(splitReply('See below\n> Which?\nThe red one.', html).reply).toContain('The red one.');
  });
});

it('any text is split in linear time', () => {
  const hostile = [
    `${'> '.repeat(40_000)}x`,
    'On a '.repeat(16_000),
    `${'On \n'.repeat(20_000)}wrote:`,
    `${'-'.repeat(40_000)} Original Message`,
    `${' '.repeat(80_000)}wrote:`,
    'From: a\n'.repeat(10_000),
    `<${'a@'.repeat(40_000)}`,
    `On 1 ${'<a@b '.repeat(16_000)}wrote`,
  ];
  for (const mail of hostile) {
    runWithKillLimit(() => splitReply(mail));
  }
});
