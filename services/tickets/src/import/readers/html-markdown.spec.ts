import { articleToMarkdown, htmlToMarkdown, htmlToText } from './html-markdown';

describe('HTML as Markdown', () => {
  it.each([
    ['<p>Hello</p><p>World<br>again</p>', 'Hello\n\nWorld\nagain'],
    ['<div class="zd-comment" dir="auto"><p dir="auto">Hi there</p></div>', 'Hi there'],
    ['1 &lt; 2 &amp; *stars*', '1 < 2 & \\*stars\\*'],
    ['<b>bold</b> <i>it</i> <s>gone</s> <code>x*y</code>', '**bold** _it_ ~~gone~~ `x*y`'],
    ['<a href="javascript:alert(1)">x</a> <a href="https://e.co/a">y</a>', 'x [y](https://e.co/a)'],
    ['<table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table>', 'A | B\n\n1 | 2'],
    ['<script>alert(1)</script><style>p{}</style><img src="x" onerror="alert(1)">text', 'text'],
    ['# no heading', '\\# no heading'],
    ['plain text', 'plain text'],
  ])('converts %s', (html, markdown) => expect(htmlToMarkdown(html)).toBe(markdown));

  it('names the pictures of an article once', () => {
    const { body, pictures } = articleToMarkdown(
      '<img src="https://a.co/x/pic.png?s=1&amp;t=2"><img src="https://a.co/y/pic.png" alt="two"><img src="https://a.co/x/pic.png?s=1&amp;t=2"><img src="data:image/png;base64,xx"><img src="https://a.co/a%20b(1).png">',
    );
    expect(pictures).toEqual([{ url: 'https://a.co/x/pic.png?s=1&t=2', file_name: 'pic.png' }, { url: 'https://a.co/y/pic.png', file_name: 'pic-2.png' }, { url: 'https://a.co/a%20b(1).png', file_name: 'a-b-1-.png' }]); // prettier-ignore
    expect(body).toBe('![](pic.png)![two](pic-2.png)![](pic.png)![](a-b-1-.png)');
  });

  it('takes bounded time for hostile HTML', () => {
    const size = 150_000;
    const repeat = (text: string) => text.repeat(size / text.length);
    const hostile = [
      '<div>',
      '<blockquote>',
      '<ul><li>',
      '<b><i>',
      '<blockquote>x<br>',
      '<table><tr><td>',
      '<a href="',
      '<!--',
      '<p',
      '*_`[',
      '<ol><li>a</li>',
      '&amp;',
      ' ',
      '<blockquote><!--</blockquote>-->x<br>',
      '</p>',
      '\n',
    ];
    for (const part of hostile) {
      const started = performance.now();
      for (const convert of [htmlToMarkdown, htmlToText, articleToMarkdown]) convert(`${repeat(part)}x`);
      expect([part, performance.now() - started < 6_000]).toEqual([part, true]);
    }
  });
});
