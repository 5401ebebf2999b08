import { excerptOf, plainText, storableQuery } from './help';

describe('plainText', () => {
  it.each([
    ['# Title\n\nSome **bold** and *italic* `code`.', 'Title. Some bold and italic code.'],
    ['- one\n- two', 'one two'],
    ['See [the manual](https://example.com/a) ![chart](chart.png).', 'See the manual .'],
    ['> quoted\n\n```\ncode\n```', 'quoted code'],
    ['<b>no HTML</b>', '<b>no HTML</b>'],
    ['', ''],
  ])('%j → %j', (markdown, text) => expect(plainText(markdown)).toBe(text));
});

describe('excerptOf', () => {
  const filler = 'Lorem ipsum dolor sit amet consectetur adipiscing elit. '.repeat(20);

  it('is the passage with most of the words', () => {
    const text = `${filler}A payment. ${filler}Refunded payments arrive on the card within 5 days. ${filler}`;
    const excerpt = excerptOf(text, 'payment refunds')!;
    expect(excerpt).toContain('Refunded payments arrive on the card');
    expect(excerpt).toMatch(/^….*…$/);
    expect(excerpt.length).toBeLessThan(160);
  });

  it('is a short text as a whole', () => expect(excerptOf('Only a refund.', 'REFUND')).toBe('Only a refund.'));

  it('matches beginnings of words, not their middles', () => {
    expect(excerptOf('The password', 'pass')).toBe('The password');
    expect(excerptOf('The password', 'word')).toBeNull();
  });

  it('finds Japanese words anywhere', () => expect(excerptOf('注文を開いて、返金ボタンを押す。', '返金')).toContain('返金'));

  it.each(['', '!', '(', '[a', '\\', '$^', '😀'])('accepts the query %j', (query) => expect(excerptOf('Text', query)).toBeNull());

  it('takes little time for long texts', () => {
    const start = performance.now();
    expect(excerptOf('aaaa '.repeat(4_000), 'aaaa bbbb')).not.toBeNull();
    expect(performance.now() - start).toBeLessThan(200);
  });
});

describe('storableQuery', () => {
  it.each<[string, string | null]>([
    ['  Refund   a\tPayment ', 'refund a payment'],
    ['ΣΊΣΥΦΟΣ', 'σίσυφοσ'],
    ['order 12345678', 'order 12345678'],
    ['order 123456789', null],
    ['+49 170 123 45 67', null],
    ['4111-1111-1111-1111', null],
    ['١٢٣٤٥٦٧٨٩', null],
    ['write to carla@example.com', null],
    ['carla@localhost', null],
    ['5 @ 3', '5 @ 3'],
    ['error 500 on 2 of 3 pages', 'error 500 on 2 of 3 pages'],
    ['   ', null],
  ])('%j → %j', (query, stored) => expect(storableQuery(query)).toBe(stored));

  it('is at most 200 characters long, also if folding makes it longer', () =>
    expect([...storableQuery('İ'.repeat(200))!]).toHaveLength(200));
});
