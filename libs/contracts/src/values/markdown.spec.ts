import { inlineText, markdownText, parseMarkdown, type MarkdownBlock, type MarkdownInline } from './markdown';

/** The elements in short: `strong(a) b`, links as `link(text -> address)`. */
const short = (elements: MarkdownInline[]): string =>
  elements
    .map((each) => {
      if ('text' in each) return each.type === 'code' ? `code(${each.text})` : each.text;
      if (each.type === 'picture') return `picture(${each.alt} -> ${each.file})`;
      return `${each.type}(${short(each.children)}${each.type === 'link' ? ` -> ${each.href}` : ''})`;
    })
    .join('');
const shortBlock = (block: MarkdownBlock): string => {
  if (block.type === 'code') return `code[${block.text}]`;
  if (block.type === 'quote') return `quote[${shortBlocks(block.children)}]`;
  if (block.type === 'list') return `${block.ordered ? `list ${block.start}` : 'list'}[${block.items.map(shortBlocks).join(' | ')}]`;
  return `${block.type}[${short(block.children)}]`;
};
const shortBlocks = (blocks: MarkdownBlock[]) => blocks.map(shortBlock).join(' ');
const blocks = (text: string) => shortBlocks(parseMarkdown(text));
const inline = (text: string) => {
  const [block] = parseMarkdown(text);
  return block?.type === 'paragraph' ? short(block.children) : undefined;
};

describe('inline Markdown', () => {
  it.each([
    ['**bold** and __bold__', 'strong(bold) and strong(bold)'],
    ['*italic* and _italic_', 'emphasis(italic) and emphasis(italic)'],
    ['***both***', 'strong(emphasis(both))'],
    ['**bold *both***', 'strong(bold emphasis(both))'],
    ['~~gone~~ but ~kept~', 'strike(gone) but ~kept~'],
    ['`a **b**` and ``a ` b``', 'code(a **b**) and code(a ` b)'],
    ['これは**重要**です', 'これはstrong(重要)です'],
    ['line one\nline two', 'line one\nline two'],
    ['\\*not italic\\*', '*not italic*'],
  ])('%s', (text, expected) => expect(inline(text)).toBe(expected));

  it.each([
    '2 * 3 * 4',
    '2*3*4',
    'snake_case_name',
    '**open',
    'a ** b **',
    '`open',
    '[a] (b)',
    '****',
    '5 < 6 > 4',
    'C:\\temp',
    '#1 is not a title',
  ])('leaves %s unchanged', (text) => expect(inline(text)).toBe(text));
});

describe('links in Markdown', () => {
  it.each([
    ['[Docs](https://a.example/b_(c))', 'link(Docs -> https://a.example/b_(c))'],
    ['[Docs](https://a.example "Title")', 'link(Docs -> https://a.example)'],
    ['[**bold**](mailto:a@b.example)', 'link(strong(bold) -> mailto:a@b.example)'],
    ['See https://a.example/x_y_z?q=1.', 'See link(https://a.example/x_y_z?q=1 -> https://a.example/x_y_z?q=1).'],
    ['**https://a.example**', 'strong(link(https://a.example -> https://a.example))'],
    ['<https://a.example/>', 'link(https://a.example/ -> https://a.example/)'],
    ['[see https://b.example](https://a.example)', 'link(see https://b.example -> https://a.example)'],
    [
      '[one [two](https://a.example) three](https://b.example)',
      '[one link(two -> https://a.example) three](link(https://b.example -> https://b.example))',
    ],
  ])('%s', (text, expected) => expect(inline(text)).toBe(expected));

  it.each([
    '[x](javascript:alert(1))',
    '[x](JaVaScRiPt:alert)',
    '[x](data:text/html,x)',
    '[x](vbscript:x)',
    '[x](//evil.example)',
    '[x](/settings)',
    '[x](https:evil)',
    '[x](https:\\\\evil.example)',
    '<javascript:alert(1)>',
    '![x](javascript:alert)',
  ])('ignores the address of %s', (text) => expect(JSON.stringify(parseMarkdown(text))).not.toMatch(/"href"|"file"/));

  it('drop characters that would display another address', () =>
    expect(inline('[a\u202eb](https://a.example/\u202egpj.exe)')).toBe('link(ab -> https://a.example/gpj.exe)'));
});

describe('pictures in Markdown', () => {
  it('name a file of the comment', () => expect(inline('![The error](screen%20shot.png)')).toBe('picture(The error -> screen shot.png)'));
  it('from elsewhere become links', () => expect(inline('![x](https://a.example/p.png)')).toBe('link(x -> https://a.example/p.png)'));
  it('cannot name a path', () => expect(inline('![x](../secret.png)')).toBe('![x](../secret.png)'));
});

describe('blocks of Markdown', () => {
  it.each([
    ['one\n\ntwo', 'paragraph[one] paragraph[two]'],
    ['## Steps ##', 'heading[Steps ##]'],
    ['- a\n- b', 'list[paragraph[a] | paragraph[b]]'],
    ['Do:\n- a\n- b\nThanks', 'paragraph[Do:] list[paragraph[a] | paragraph[b]] paragraph[Thanks]'],
    ['1. a\n2. b\n   - c\n\n   more', 'list 1[paragraph[a] | paragraph[b] list[paragraph[c]] paragraph[more]]'],
    ['1. a\n\n2. b', 'list 1[paragraph[a] | paragraph[b]]'],
    ['- a\n\n1. b', 'list[paragraph[a]] list 1[paragraph[b]]'],
    ['  - a\n  - b', 'list[paragraph[a] | paragraph[b]]'],
    ['Since\n2019. Nothing', 'paragraph[Since\n2019. Nothing]'],
    ['> a\n> > b\nc', 'quote[paragraph[a] quote[paragraph[b]]] paragraph[c]'],
    ['```js\n  <b>x</b>\n**y**\n```\nafter', 'code[  <b>x</b>\n**y**] paragraph[after]'],
    ['- a\n  ```\n  code\n  ```', 'list[paragraph[a] code[code]]'],
    ['~~~\nopen', 'code[open]'],
    ['a\r\nb', 'paragraph[a\nb]'],
    ['-- \nGrace', 'paragraph[-- \nGrace]'],
    ['', ''],
    ['\n \n', ''],
  ])('%j', (text, expected) => expect(blocks(text)).toBe(expected));

  it('treats HTML as text', () => {
    const html = '<img src=x onerror=alert(1)>\n<script>alert(2)</script><!-- a -->';
    expect(blocks(html)).toBe(`paragraph[${html}]`);
  });
});

it('previews show the text without markup', () =>
  expect(markdownText('# Hi\n\n**Please** [see](https://a.example):\n- `a`\n> b\n\n![pic](a.png)')).toBe('Hi\nPlease see:\na\nb\npic'));

it('keeps all characters of unfinished markup', () => {
  for (const text of ['**a [b](c *d _e ~~f `g', '[[[a](b)', '*a **b* c**']) {
    expect(inlineText((parseMarkdown(text)[0] as { children: MarkdownInline[] }).children).length).toBeGreaterThan(text.length - 5);
  }
});
