import { escapeMarkdown, unescapeMarkdown } from './markdown';
import { textBelowFooter, markdownOf, withoutFooter } from './tandem-footer';

const escape = (text: string) => escapeMarkdown(text, '  \n');

describe('a text in Markdown', () => {
  it.each([
    ['# not a heading', '\\# not a heading'],
    ['- not a list', '\\- not a list'],
    ['12. not a list', '12\\. not a list'],
    ['2.5 is a number', '2\\.5 is a number'],
    ['===', '\\==='],
    ['<b>&amp;</b>', '\\<b\\>\\&amp;\\</b\\>'],
    ['[a](http://b.test/_c_)', '\\[a\\](http://b.test/\\_c\\_)'],
    ['see https://b.test/a_b?c=1&d=2#e now', 'see https://b.test/a_b?c=1&d=2#e now'],
    ['https://b.test/?a&lt;b', 'https://b.test/?a\\&lt;b'],
    ['    code', '\u00a0\u00a0\u00a0\u00a0code'],
    ['a\r\nb\n\nc', 'a  \nb\n\nc'],
  ])('%j is written as %j', (text, markdown) => expect(escape(text)).toBe(markdown));

  it('is returned unchanged after escaping', () => {
    const letters = '\\`*_{}[]()<>#+-.!|~&=:$@ \t\nab1/'.split('');
    let seed = 7;
    const next = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
    for (let i = 0; i < 5_000; i++) {
      const text = Array.from({ length: next(40) }, () => letters[next(letters.length)]).join('');
      const expected = text
        .split('\n')
        .map((line) => line.trimEnd().replace(/^[ \t]+/, (space) => space.replaceAll('\t', '    ')))
        .join('\n');
      expect(unescapeMarkdown(escape(text).replace(/ +$/gm, ''))).toBe(expected);
    }
  });
});

describe('our own lines', () => {
  const lines = [{ label: 'Ticket', text: 'ACME-1', url: 'https://acme.test/1' }];
  const written = markdownOf({ text: 'Hello\n---', lines }, escape, '  \n');

  it('are below a rule, under a label', () => {
    expect(written).toBe(
      'Hello  \n\\---\n\n---\n\n*Added by Tandem. Text below this line is not synced.*  \nTicket: ACME\\-1 – https://acme.test/1'.replace(
        'ACME\\-1',
        'ACME-1',
      ),
    );
    expect(markdownOf({ text: ' ', lines: [] }, escape, '\n')).toBe('');
  });

  it.each([
    ['as written', written],
    ['with another rule', 'Hello\n---\n\n* * *\n*Added by Tandem. Text below this line is not synced.*\nTicket: x'],
    ['with other emphasis', 'Hello\n---\n⸻\n\n__Added by Tandem. Text below this line is not synced.__\n\n\nTicket: x'],
    ['as plain text', 'Hello\r\n---\r\n\r\n---\r\n\r\nAdded by Tandem. Text below this line is not synced.\r\nTicket: x\r\nmore below'],
    ['with the text of another version', 'Hello\n---\n\n---\n> Added by Tandem: see below'],
  ])('are removed, %s', (_case, text) => {
    expect(withoutFooter(text)?.replace('\\---', '---')).toBe('Hello\n---');
  });

  it('end where other text begins', () => {
    expect(textBelowFooter(written)).toBeNull();
    expect(textBelowFooter(`${written}\n\nhttps://acme.test/tickets/1\n\n  Call\nCustomer: x\n`)).toBe('  Call\nCustomer: x');
    expect(textBelowFooter('Nothing of ours')).toBeNull();
  });

  it('alone are not a description, and a text without them is complete', () => {
    expect(withoutFooter(markdownOf({ text: null, lines }, escape, '\n'))).toBeNull();
    expect(withoutFooter('Only text\n---\n')).toBe('Only text\n---');
    expect(withoutFooter('We were told: Added by Tandem')).toBe('We were told: Added by Tandem');
    expect(withoutFooter(null)).toBeNull();
  });
});
