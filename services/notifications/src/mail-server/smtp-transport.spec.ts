import MailComposer from 'nodemailer/lib/mail-composer';
import { buildInOneStep } from './smtp-transport';

const mail = { from: 'Ünal <a@example.com>', to: 'b@exämple.com', subject: 'Grüße 👋', messageId: '<1@example.com>' };
const long = 'a line of text that is longer than the seventy-six characters of a line of quoted-printable text, with spaces ';

describe('an email that is built in one step', () => {
  it.each<[string, object]>([
    ['text and HTML', { text: 'Hello\r\nworld', html: '<p>Hello world</p>' }],
    ['lines of dots and other line breaks', { text: 'one\n.\n..two\rthree\r\n.', html: '<p>.\n.</p>\n' }],
    ['text that is not ASCII', { text: `Grüße 👋 ${long}\n`.repeat(40), html: `<p>Größe = 1</p>${'ü'.repeat(500)}` }],
    ['text that needs base64', { text: '日本語のテキスト。'.repeat(100), html: `<p>${'שלום '.repeat(200)}</p>` }],
    ['spaces at the ends of lines', { text: 'a \t \nb \r\n  ', html: `<p>${long} </p> ` }],
    ['long words', { text: 'x'.repeat(5_000), html: `<a href="https://example.com/?q=${'%3D'.repeat(400)}">=</a>` }],
    ['text only', { text: 'Hello' }],
    ['an empty text', { text: '', html: '<p>Hello</p>' }],
    ['long headers', { text: 'a', html: 'b', references: Array.from({ length: 40 }, (_, i) => `<reference-${i}@example.com>`) }],
  ])('has the bytes that nodemailer writes: %s', async (_, content) => {
    const message = new MailComposer({ ...mail, ...content, headers: { 'X-Tandem-Loop': 'tandem' } }).compile();
    const expected = await message.build();

    buildInOneStep(message);

    expect((await message.build()).toString('latin1')).toBe(expected.toString('latin1'));
  });

  it('has other soft line breaks than nodemailer after 64 KB, where nodemailer starts a new piece, and the same text', async () => {
    const content = { text: long.repeat(1_000), html: `<p>${`ä ${long}`.repeat(1_500)}</p>` };
    const message = new MailComposer({ ...mail, ...content }).compile();
    const expected = await message.build();

    buildInOneStep(message);

    const joined = (email: string) => email.replaceAll('=\r\n', '');
    const actual = (await message.build()).toString('latin1');
    expect(joined(actual)).toBe(joined(expected.toString('latin1')));
    const lengths = actual.split('\r\n').map((line) => line.length);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(77);
  });
});
