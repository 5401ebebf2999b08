import { docsPageNames, docsPages, type DocsPageName } from '@tandem/contracts';

/** The page whose Markdown a path requests. */
export function docsPageOf(path: string): DocsPageName | undefined {
  const name = /^\/docs\/([\w-]+)\.md$/.exec(path)?.[1];
  return docsPageNames.find((each) => each === name);
}

/**
 * Puts this installation's address where the web app's build has written a placeholder (web/vite.docs-markdown.ts). A single organization
 * has no subdomain.
 */
export function withAddress(markdown: string, origin: string, { isSingle }: { isSingle: boolean }): string {
  const { protocol, host } = new URL(origin);
  return markdown
    .replace(/https:\/\/([\w-]+\.)?tandem\.invalid/g, (_url, label: string = '') => `${protocol}//${isSingle ? '' : label}${host}`)
    .replaceAll('tandem.invalid', host);
}

/** The index of the documentation for language models (llmstxt.org). */
export function llmsText(origin: string): string {
  const pages = docsPageNames.map((name) => `- [${docsPages[name].title}](${origin}/docs/${name}.md): ${docsPages[name].description}`);
  return [
    '# Tandem',
    '',
    '> A help desk for several organizations on one installation, which keeps every ticket in sync with a task.',
    '',
    '## Documentation',
    '',
    ...pages,
    '',
    '## API',
    '',
    `- [OpenAPI document](${origin}/api/v1/openapi.json): every operation that API tokens may call`,
    `- [Problem codes](${origin}/api/docs/errors): the codes of error responses`,
    '',
  ].join('\n');
}
