/** A version in CHANGELOG.md. */
export interface Release {
  version: string;
  /** `2026-11-21`, or `Unreleased`. */
  date: string;
  /** `Added`, `Changed` and so on. The part before the first heading has no title. */
  groups: { title: string; items: string[] }[];
}

/** For operators, who read the file itself. */
const isForOperators = (title: string) => title.startsWith('Upgrading');

/** The versions in the text of CHANGELOG.md (https://keepachangelog.com/en/1.1.0/). Paragraphs count as items. */
export function readChangelog(text: string): Release[] {
  return text
    .split(/^## /m)
    .slice(1)
    .map((release) => {
      const [heading = '', ...rest] = release.split('\n');
      const [, version = heading, date = ''] = /^\[(.+)\] - (.+)$/.exec(heading) ?? [];
      const groups = `\n${rest.join('\n')}`
        .split(/^### /m)
        .map((group, index) => {
          const end = index === 0 ? 0 : group.indexOf('\n');
          return { title: group.slice(0, end), items: itemsOf(group.slice(end)) };
        })
        .filter(({ title, items }) => items.length > 0 && !isForOperators(title));
      return { version, date, groups };
    });
}

const itemsOf = (text: string): string[] =>
  text
    .split(/\n(?=- )|\n\s*\n/)
    .map((item) =>
      item
        .replace(/^\s*- /, '')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .filter((item) => item !== '');
