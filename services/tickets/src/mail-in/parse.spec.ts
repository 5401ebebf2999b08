import { parseMail } from './parse';
import { readMime } from './mime';
import { UnreadableMail } from './parsed-mail';

const mail = (...lines: string[]) => Buffer.from(lines.join('\r\n'));
const base = ['From: Carla Client <Carla@Example.COM>', 'To: support@acme.mail.test', 'Subject: Printer', 'Message-ID: <a1@example.com>'];
const plain = (headers: string[], ...body: string[]) => mail(...base, ...headers, '', ...body);
const bytes = (headers: string[], body: Buffer) => Buffer.concat([Buffer.from([...base, ...headers, '', ''].join('\r\n')), body]);

describe('the header of an email', () => {
  it('yields sender, recipients, time and IDs in one format', async () => {
    const parsed = await parseMail(
      plain(
        [
          'Cc: Team: SUPPORT+abc@Acme.mail.test, "B, C" <b@example.com>;',
          'Delivered-To: support+tok@acme.mail.test',
          'Date: Fri, 20 Nov 2026 10:00:00 +0100',
          'In-Reply-To: <t.1@mail.test>',
          'References: <first@x>',
          '  <second@x>  <second@x>',
        ],
        'Hello',
      ),
    );
    expect(parsed).toMatchObject({
      message_id: '<a1@example.com>',
      in_reply_to: ['<t.1@mail.test>'],
      references: ['<first@x>', '<second@x>'],
      from: { address: 'carla@example.com', name: 'Carla Client' },
      recipients: ['support+tok@acme.mail.test', 'support@acme.mail.test', 'support+abc@acme.mail.test', 'b@example.com'],
      subject: 'Printer',
      sent_at: '2026-11-20T09:00:00.000Z',
      text: 'Hello',
      reply: 'Hello',
      language: null,
      quoted_text: null,
      html: null,
      files: [],
      automatic: null,
      bounce: null,
    });
  });

  it.each([
    [['Content-Language: de-AT'], 'de'],
    [['Accept-Language: fr-FR, en-US', 'Content-Language: pt'], 'pt-BR'],
    [['Accept-Language: xx, ar;q=0.5'], 'ar'],
    [['Content-Language: tlh'], null],
  ])('yields the language in %j', async (headers, language) => {
    expect((await parseMail(plain(headers, 'Hello'))).language).toBe(language);
  });
  it('yields the first of several senders, and an alternative if From has no address', async () => {
    const several = await parseMail(mail('From: nobody', 'From: x@example.com, y@example.com', '', 'a'));
    expect(several.from?.address).toBe('x@example.com');
    const missing = await parseMail(mail('Sender: "S" <s@example.com>', '', 'a'));
    expect(missing.from).toEqual({ address: 's@example.com', name: 'S' });
    expect((await parseMail(mail('Subject: a', '', 'b'))).from).toBeNull();
  });

  it('may contain encoded words that are split across lines and characters, and unencoded text', async () => {
    const broken = await parseMail(
      mail(
        'From: =?ISO-8859-1?Q?J=F6rg?= <j@example.com>',
        'Subject: =?UTF-8?B?w5xi?=',
        ' =?UTF-8?B?ZXLDpA==?= =?utf-8?Q?=C3?=',
        ' =?utf-8?Q?=A4?=',
        '',
        'x',
      ),
    );
    expect(broken.from?.name).toBe('Jörg');
    expect(broken.subject).toBe('Überää');
    const raw = Buffer.concat([Buffer.from('From: a@example.com\r\nSubject: '), Buffer.from('Über', 'latin1'), Buffer.from('\r\n\r\nx')]);
    expect((await parseMail(raw)).subject).toBe('Über');
  });

  it('is limited to the first and the latest of many references', async () => {
    const references = Array.from({ length: 400 }, (_, i) => `<r${i}@x>`);
    const { references: kept } = await parseMail(plain([`References: ${references.join('\r\n ')}`], 'x'));
    expect(kept).toHaveLength(50);
    expect([kept[0], kept.at(-1)]).toEqual(['<r0@x>', '<r399@x>']);
  });
});

describe('the text of an email', () => {
  const type = (charset: string) => [`Content-Type: text/plain; charset=${charset}`, 'Content-Transfer-Encoding: 8bit'];
  const sjis = Buffer.from([0x82, 0xb1, 0x82, 0xf1, 0x82, 0xc9, 0x82, 0xbf, 0x82, 0xcd]);
  const jis = Buffer.from('\x1b$B$3$s$K$A$O\x1b(B');
  it.each([
    ['UTF-8 declared as Latin-1', type('iso-8859-1'), Buffer.from('Grüße'), 'Grüße'],
    ['UTF-8 without a charset', [], Buffer.from('Grüße'), 'Grüße'],
    ['Latin-1 declared as UTF-8', type('utf-8'), Buffer.from('Grüße', 'latin1'), 'Grüße'],
    ['an unknown charset', type('x-klingon'), Buffer.from('Grüße', 'latin1'), 'Grüße'],
    ['UTF-16 that is ASCII', type('utf-16'), Buffer.from('Hello'), 'Hello'],
    ['ISO-2022-JP', type('ISO-2022-JP'), jis, 'こんにちは'],
    ['ISO-2022-JP declared as ASCII', type('us-ascii'), jis, 'こんにちは'],
    ['Shift_JIS', type('Shift_JIS'), sjis, 'こんにちは'],
    ['cp932', type('cp932'), sjis, 'こんにちは'],
    ['GB18030 declared as GB2312', type('gb2312'), Buffer.from([0xc4, 0xe3, 0xba, 0xc3, 0x81, 0x39, 0xef, 0x30]), '你好㐁'],
    ['Windows-1251', type('windows-1251'), Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]), 'Привет'],
    ['Windows-1252 quotes', type('windows-1252'), Buffer.from([0x93, 0x61, 0x94]), '“a”'],
    ['a byte order mark', [], Buffer.from([0xef, 0xbb, 0xbf, 0x61]), 'a'],
  ])('is read in %s', async (_, headers, body, wanted) => {
    expect((await parseMail(bytes(headers, body))).text).toBe(wanted);
  });

  it('contains no characters that PostgreSQL cannot store', async () => {
    const { text, subject } = await parseMail(mail('Subject: a\x00b\x07', 'From: a@b.test', '', 'one\x00\x08two\x7f', 'three'));
    expect([subject, text]).toEqual(['ab', 'onetwo\nthree']);
  });

  it('has its flowed lines joined', async () => {
    const flowed = await parseMail(plain(['Content-Type: text/plain; format=flowed; delsp=yes'], 'one tw ', 'o', 'three'));
    expect(flowed.text).toBe('one two\nthree');
  });

  it('is derived from the HTML if there is no plain text, with links and without images', async () => {
    const html =
      '<style>p{}</style><p>Hello <a href="https://x.test/a">here</a></p><img src="https://t.test/p.gif" width=1 height=1><script>alert(1)</script>';
    const parsed = await parseMail(plain(['Content-Type: text/html; charset=utf-8'], html));
    expect(parsed.text).toBe('Hello here (https://x.test/a)');
    expect(parsed.html).not.toMatch(/script|t\.test/);
  });
});

describe('the files of an email', () => {
  const part = (headers: string[], ...body: string[]) => ['--b', ...headers, '', ...body];
  const mixed = (...parts: string[][]) => plain(['Content-Type: multipart/mixed; boundary=b'], ...parts.flat(), '--b--');

  it('keep their names, in any notation', async () => {
    const { files, text } = await parseMail(
      mixed(
        part(['Content-Type: text/plain'], 'Hi'),
        part(
          ['Content-Type: application/pdf', "Content-Disposition: attachment; filename*0*=UTF-8''%C3%9Cber", ' ; filename*1*=sicht.pdf'],
          'x',
        ),
        part(['Content-Type: application/pdf; name="=?utf-8?Q?=C3=9C.pdf?="', 'Content-Transfer-Encoding: base64'], 'eA=='),
        part(['Content-Type: text/plain; name=log.txt', 'Content-Disposition: inline'], 'log'),
        part(['Content-Type: application/ms-tnef'], 'tnef'),
        part(['Content-Type: text/calendar; method=REQUEST'], 'BEGIN:VCALENDAR'),
        part(['Content-Type: message/rfc822'], 'Subject: Inner mail', 'From: i@example.com', '', 'inner text'),
      ),
    );
    expect(files.map((file) => file.file_name)).toEqual([
      'Übersicht.pdf',
      'Ü.pdf',
      'log.txt',
      'winmail.dat',
      'invite.ics',
      'Inner mail.eml',
    ]);
    expect(files[1]!.content.toString()).toBe('x');
    expect(text).toBe('Hi');
  });

  it('keep a name in raw UTF-8 if they are declared inline', async () => {
    const { files } = await parseMail(
      mixed(part(['Content-Type: text/plain', 'Content-Disposition: inline; filename="Übersicht.txt"'], 'log')),
    );
    expect(files.map(({ file_name, content }) => [file_name, content.toString()])).toEqual([['Übersicht.txt', 'log\n']]);
  });

  it('keep their bytes if they are large and not encoded', async () => {
    const inner = `Subject: Inner mail\r\n\r\n${'A line with spaces at its end.  \r\n\r\n--b-\r\n'.repeat(5_000)}`;
    const { files } = await parseMail(mixed(part(['Content-Type: message/rfc822'], inner)));
    expect(files.map(({ file_name }) => file_name)).toEqual(['Inner mail.eml']);
    expect(files[0]!.content.equals(Buffer.from(inner))).toBe(true);
  });

  it('have their Content-ID if the HTML shows them, and small images are embedded', async () => {
    const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 1, 2]).toString('base64');
    const { files, html } = await parseMail(
      plain(
        ['Content-Type: multipart/related; boundary=b'],
        ...part(['Content-Type: text/html'], '<p>See <img src="cid:pic@x"></p><img src="cid:none"><img src="https://x.test/p.png">'),
        ...part(['Content-Type: image/png; name=p.png', 'Content-ID: <pic@x>', 'Content-Transfer-Encoding: base64'], png),
        '--b--',
      ),
    );
    expect(files).toMatchObject([{ file_name: 'p.png', content_id: 'pic@x' }]);
    expect(html).toContain(`src="data:image/png;base64,${png}"`);
    expect(html).toContain('data-src="https://x.test/p.png"');
    expect(html).not.toContain('cid:');
  });

  it('are read up to two hundred parts', async () => {
    const many = Array.from({ length: 1_000 }, (_, i) =>
      part(['Content-Type: image/png', `Content-Disposition: attachment; filename=${i}.png`], 'x'),
    );
    expect((await parseMail(mixed(...many))).files.length).toBeLessThanOrEqual(100);
  });
});

describe('automatic emails', () => {
  it.each([
    ['Auto-Submitted: auto-replied', 'Auto-Submitted'],
    ['Auto-Submitted: auto-generated (rejected)', 'Auto-Submitted'],
    ['Precedence: bulk', 'Precedence'],
    ['List-Id: <news.example.com>', 'List-Id'],
    ['X-Autoreply: yes', 'X-Autoreply'],
    ['X-Loop: a', 'X-Loop'],
    ['Auto-Submitted: no', null],
    ['X-Auto-Response-Suppress: All', null],
    ['Precedence: normal', null],
    ['Precedence: list\r\nList-Id: <support.example.com>', null],
  ])('%s: %s', async (header, sign) => {
    expect((await parseMail(plain([header], 'x'))).automatic).toBe(sign);
  });

  it('are distinguished from people who suppress automatic replies', async () => {
    expect(await parseMail(plain(['X-Auto-Response-Suppress: DR, OOF, AutoReply'], 'x'))).toMatchObject({
      suppresses_replies: true,
      automatic: null,
    });
    expect(await parseMail(plain(['Precedence: list'], 'x'))).toMatchObject({ suppresses_replies: true, automatic: null });
    expect((await parseMail(plain(['X-Tandem-Loop: 42'], 'x'))).loop).toBe('42');
  });

  const report = (action: string, status: string) =>
    mail(
      'From: Mail Delivery System <MAILER-DAEMON@mx.test>',
      'Return-Path: <>',
      'Content-Type: multipart/report; report-type=delivery-status; boundary=r',
      '',
      '--r',
      'Content-Type: text/plain',
      '',
      'Your mail could not be delivered.',
      '--r',
      'Content-Type: message/delivery-status',
      '',
      'Reporting-MTA: dns; mx.test',
      '',
      'Final-Recipient: rfc822; Carla@Example.com',
      `Action: ${action}`,
      `Status: ${status}`,
      'Diagnostic-Code: smtp; 550 5.1.1 No such',
      ' user',
      '--r',
      'Content-Type: message/rfc822',
      '',
      'Message-ID:',
      ' <t.0.mail.mac@mail.test>',
      'Subject: Ours',
      '',
      'text',
      '--r--',
    );
  it('include delivery reports with recipient, status, reason and our Message-ID', async () => {
    expect((await parseMail(report('failed', '5.1.1'))).bounce).toEqual({
      permanent: true,
      is_final: true,
      status: '5.1.1',
      recipient: 'carla@example.com',
      diagnostic: '550 5.1.1 No such user',
      original_message_id: '<t.0.mail.mac@mail.test>',
    });
    expect((await parseMail(report('delayed', '4.4.1'))).bounce).toMatchObject({ permanent: false, is_final: false, status: '4.4.1' });
    expect((await parseMail(report('failed', '4.2.2'))).bounce).toMatchObject({ permanent: false, is_final: true, status: '4.2.2' });
    expect((await parseMail(report('delivered', '2.0.0'))).bounce).toBeNull();
  });
  it('include failures that a server reports as prose', async () => {
    const prose = await parseMail(
      mail('From: MAILER-DAEMON@old.test', 'X-Failed-Recipients: a@example.com', '', '550 5.7.1 refused', 'Message-ID: <t.9@mail.test>'),
    );
    expect(prose.bounce).toMatchObject({
      permanent: true,
      status: '5.7.1',
      recipient: 'a@example.com',
      original_message_id: '<t.9@mail.test>',
    });
    expect(prose.automatic).toBe('delivery report');
    const away = await parseMail(plain(['Return-Path: <>', 'Auto-Submitted: auto-replied'], 'I am away'));
    expect(away).toMatchObject({ bounce: null, automatic: 'Auto-Submitted' });
  });
});

it('address headers are cut at 128 KB, and other headers are not', async () => {
  const groups = Array.from({ length: 5 }, () => 'a:'.repeat(25_000));
  const long = `To: ada@example.com, ${groups.join('\r\n ')}`;
  const subject = `Subject: ${'Burning '.repeat(20_000)}`;
  const { headers } = await readMime(mail(long, subject, 'Cc: grace@example.com', 'From: a@b.test', '', 'x'));
  const length = (key: string) => headers.find((header) => header.key === key)!.value.length;
  expect(length('to')).toBeLessThanOrEqual(128 * 1024);
  expect(length('subject')).toBeGreaterThan(150_000);
  expect(await parseMail(mail(long, 'Cc: grace@example.com', 'From: a@b.test', '', 'x'))).toMatchObject({
    from: { address: 'a@b.test' },
    recipients: ['ada@example.com', 'grace@example.com'],
    text: 'x',
  });
});

it('an email that is nested too deeply or has too many headers is refused', async () => {
  const nested = [
    'From: a@b.test',
    ...Array.from({ length: 80 }, (_, i) => [`Content-Type: multipart/mixed; boundary=b${i}`, '', `--b${i}`]).flat(),
    '',
    'x',
  ];
  await expect(parseMail(mail(...nested))).rejects.toThrow(UnreadableMail);
  await expect(parseMail(plain([`X-Long: ${'a'.repeat(1_000_000)}`], 'x'))).rejects.toThrow('Its headers are too large');
});
