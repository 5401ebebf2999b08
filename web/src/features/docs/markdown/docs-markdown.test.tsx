import { docsPageNames, docsPages } from '@tandem/contracts/values';
import { render } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { AsDocument } from '../as-document';
import { components, docsMarkdown, docsSearchIndex, htmlOf } from './docs-markdown';
import { htmlToMarkdown } from './html-to-markdown';

/** Letters and digits only: everything else differs between a page and its Markdown. */
const plain = (text: string): string => text.replace(/&[a-z]+;|[^\p{L}\p{N}]+/gu, '');
const parts = 'h1, h2, h3, p, li, td, th, dt, dd, pre, [data-heading]';

describe('the Markdown of a page', () => {
  const markdown = new Map(docsMarkdown());

  it.each(docsPageNames)('contains everything that %s shows, in all tabs', (name) => {
    const Page = components[name];
    const { container } = render(
      <MemoryRouter initialEntries={[`/docs/${name}`]}>
        <AsDocument value>
          <Page />
        </AsDocument>
      </MemoryRouter>,
    );
    const written = plain(markdown.get(name)!.replace(/\]\([^)]*\)/g, ''));
    const shown = [...container.querySelector('article')!.querySelectorAll(parts)].filter(
      ({ classList }) => !classList.contains('print:hidden'),
    );
    expect(shown.length).toBeGreaterThan(20);
    const isWhole = (element: Element) => element.querySelector('p, li, pre, ul, ol, table') === null;
    const missing = shown.filter(isWhole).map(({ textContent }) => textContent);
    expect(missing.filter((text) => !written.includes(plain(text)))).toEqual([]);
    expect(markdown.get(name)).toMatch(new RegExp(`^# ${docsPages[name].title}\n\n`));
  });

  it('links to the Markdown of other pages', () => {
    expect(markdown.get('quick-start')).toContain('[ClickUp setup](http://localhost/docs/clickup-setup.md)');
    expect(markdown.get('customer-guide')).toContain('[Submit a ticket](http://localhost/submit-ticket)');
    expect([...markdown.values()].join('\n')).not.toMatch(/\]\((?!http:\/\/localhost\/|https:\/\/www\.standardwebhooks\.com)/);
  });

  it('has headings without gaps in their levels', () => {
    for (const [name, text] of markdown) {
      const levels = [...text.replace(/```[\s\S]*?```/g, '').matchAll(/^(#+) /gm)].map(([, marks]) => marks!.length);
      expect([name, levels.filter((level, at) => level > (levels[at - 1] ?? 0) + 1)]).toEqual([name, []]);
    }
  });
});

describe('the search index', () => {
  const index = docsSearchIndex();

  it.each(docsPageNames)('has all of the text of %s', (name) => {
    const indexed = plain(index[name]!.map(({ title, text }) => title + text).join(''));
    const shown = plain(htmlToMarkdown(htmlOf(name), (href) => href).replace(/^# .*|\]\([^)]*\)/gm, ''));
    // Tables and lists have separators in Markdown only, which `plain` removes; links of the page itself are not searched.
    expect(indexed.length).toBeGreaterThan(shown.length * 0.95);
    expect(indexed.length).toBeLessThan(shown.length * 1.05);
  });

  it('has the address of each section, in its tab', () => {
    const addresses = Object.entries(index).flatMap(([name, sections]) => sections.map(({ at }) => `/docs/${name}${at}`));
    expect(addresses).toEqual(expect.arrayContaining(['/docs/api-reference?tab=rest#pagination', '/docs/domain-setup']));
    expect(new Set(addresses).size).toBe(addresses.length);
  });
});

describe('HTML', () => {
  const convert = (html: string) => htmlToMarkdown(html, (href) => `https://x.example${href}`);

  it.each([
    ['<p>a <strong>b</strong> <a href="/c">d</a>&amp;<code>e*f</code></p>', 'a **b** [d](https://x.example/c)&`e*f`'],
    ['<ol><li>a</li><li><p>b</p><ul><li>c</li></ul></li></ol>', '1. a\n2. b\n\n   - c'],
    [
      '<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><th>1|2</th><td>x</td></tr></tbody></table>',
      '| a | b |\n| --- | --- |\n| 1\\|2 | x |',
    ],
    ['<pre aria-label="x"><code>a\n  &lt;b&gt;</code></pre><button>Copy</button>', '```\na\n  <b>\n```'],
    ['<div><p data-heading="true">T</p><section><h2><a href="#s">S</a></h2>x</section></div>', '## T\n\n### S\n\nx'],
    ['<ul><li><label><input type="checkbox"/><span>a_b</span></label></li></ul>', '- [ ] a\\_b'],
    ['<p>a<svg aria-hidden="true"><path d="M1 1"></path></svg> b</p>', 'a b'],
    ['<dl><div><dt>a</dt><dd>b</dd></div></dl>', '- **a**: b'],
  ])('%s', (html, expected) => expect(convert(html)).toBe(`${expected}\n`));
});
