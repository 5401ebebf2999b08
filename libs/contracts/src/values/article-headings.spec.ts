import { articleHeadings } from './article-headings';

describe('the headings of an article', () => {
  it('are h2 to h4, because the title is the h1', () => {
    const body = '# One\n## Two\n### Three\n#### Four\n###### Six';
    expect(articleHeadings(body).map(({ tag, text }) => [tag, text])).toEqual([
      ['h2', 'One'],
      ['h2', 'Two'],
      ['h3', 'Three'],
      ['h4', 'Four'],
      ['h4', 'Six'],
    ]);
  });

  it('have unique ids without formatting, also if their text has no Latin letter', () => {
    const body = '## The **big** [plan](https://example.com)\n## the big plan\n## The big plan 2\n## 返金\n## 交換';
    expect(articleHeadings(body).map(({ id }) => id)).toEqual([
      'the-big-plan',
      'the-big-plan-2',
      'the-big-plan-2-2',
      'section',
      'section-2',
    ]);
  });

  it('are in the order of the text, also in quotes and lists', () => {
    expect(articleHeadings('> ## In a quote\n\n- # In a list\n\n## Last').map(({ text }) => text)).toEqual([
      'In a quote',
      'In a list',
      'Last',
    ]);
  });
});
