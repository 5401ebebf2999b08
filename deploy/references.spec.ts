import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = join(__dirname, '..');
const folders = ['libs', 'services', 'gateway', 'web', 'deploy', 'docs', 'k8s'];
const isGenerated = (path: string) => /(^|\/)(node_modules|dist|\.nx|coverage|test-results)\//.test(path);

/** The project's own files with one of these endings, as paths from the root. */
function filesWith(ending: RegExp): string[] {
  const nested = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  );
  return [...readdirSync(root), ...nested].filter((path) => ending.test(path) && !isGenerated(path));
}

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const documents = filesWith(/\.md$/);
const sources = filesWith(/\.(tsx?|mjs|sql|css|ya?ml)$/).filter((path) => path !== 'deploy/references.spec.ts');

/** The anchors of a document's headings, as GitHub derives them. */
const anchorsIn = (path: string): Set<string> =>
  new Set(
    [...read(path).matchAll(/^#+ (.+)$/gm)].map((match) =>
      match[1]!
        .toLowerCase()
        .replace(/[^\w\s-]/g, '')
        .replace(/\s/g, '-'),
    ),
  );

function isMissing(path: string, anchor: string | undefined): boolean {
  return !existsSync(join(root, path)) || (anchor !== undefined && !anchorsIn(path).has(anchor));
}

it('the files are found', () => {
  expect(documents).toContain('docs/product-rules.md');
  expect(sources.length).toBeGreaterThan(500);
});

describe('references to documents', () => {
  // `/docs/….md` is a path of the product: its documentation pages as Markdown.
  it('in the code point to an existing page and section', () => {
    const broken = sources.flatMap((source) =>
      [...read(source).matchAll(/(?<![^.]\/)\bdocs\/[\w/-]+\.md(?:#([\w-]+))?/g)]
        .filter(([reference, anchor]) => isMissing(reference.split('#')[0]!, anchor))
        .map(([reference]) => `${source}: ${reference}`),
    );
    expect(broken).toEqual([]);
  });

  it('between documents point to an existing page and section', () => {
    const broken = documents.flatMap((document) =>
      [...read(document).matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([\w-]+))?\)/g)]
        .filter(([, path, anchor]) =>
          isMissing(path ? join(dirname(document), path) : document, path && !path.endsWith('.md') ? undefined : anchor),
        )
        .map(([reference]) => `${document}: ${reference}`),
    );
    expect(broken).toEqual([]);
  });
});

/** Phrases that refer to documents outside of this repository, which a reader does not have. */
const elsewhere =
  /\bthe specification|\bspec(ification)?('s)? (part|section) ?\d|\bissue #?\d+ (point|says|asks)|\b(in|of|see) issue \d+|\bdesign (page|document)|\bpage [AB]\b|product-decisions|plain-english|rest-api\.md/i;

it('no file refers to documents outside of the repository', () => {
  const found = [...sources, ...documents].flatMap((path) =>
    read(path)
      .split('\n')
      .map((line, index) => ({ line, where: `${path}:${index + 1}` }))
      .filter(({ line }) => elsewhere.test(line))
      .map(({ line, where }) => `${where}: ${line.trim()}`),
  );
  expect(found).toEqual([]);
});
