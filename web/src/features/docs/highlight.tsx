import type { ReactNode } from 'react';

export type CodeLanguage = 'json' | 'http' | 'html' | 'curl' | 'shell' | 'typescript' | 'node' | 'python' | 'go' | 'ruby' | 'php';

const slashes = String.raw`\/\/[^\n]*`;
const hash = String.raw`(?<=^|\s)#[^\n]*`;
const none = '(?!)';
const comments: Record<CodeLanguage, string> = {
  json: none,
  http: none,
  html: String.raw`<!--[\s\S]*?-->`,
  curl: hash,
  shell: hash,
  typescript: slashes,
  node: slashes,
  python: hash,
  go: slashes,
  ruby: hash,
  php: slashes,
};
const words: Partial<Record<CodeLanguage, string>> = {
  json: 'true|false|null',
  curl: 'curl',
  shell: 'for|in|do|done|if|then|fi|exit|echo',
  typescript: 'import|from|export|const|let|await|async|function|if|for|while|return|throw|new|true|false|null|of',
  python: 'import|from|def|class|with|as|if|else|for|in|while|return|not|or|and|any|raise|None|True|False|await|async',
  go: 'package|import|func|if|for|range|return|nil|true|false',
  ruby: 'require|def|end|if|loop|do|while|return|unless',
  php: 'function|foreach|as|if|return|exit|echo|true|false',
};
words.node = words.typescript!;

const patternOf = (language: CodeLanguage): RegExp =>
  new RegExp(
    [
      `(?<comment>${comments[language]})`,
      String.raw`(?<text>"(?:\\[\s\S]|[^"\\])*"|'(?:\\[\s\S]|[^'\\])*'|${'`'}(?:\\[\s\S]|[^${'`'}\\])*${'`'})`,
      String.raw`(?<word>\b(?:${words[language] ?? none})\b)`,
      String.raw`(?<number>(?<![\w.-])\d[\d_.]*\b)`,
    ].join('|'),
    'gm',
  );

const looks = {
  comment: 'text-muted italic',
  text: 'text-green-text',
  word: 'text-violet-text',
  number: 'text-blue-text',
  name: 'text-accent-text',
};

/** Colors comments, texts, numbers and keywords. Supports only the syntax that our own samples use. */
export function highlight(code: string, language: CodeLanguage): ReactNode[] {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const match of code.matchAll(patternOf(language))) {
    const [text] = match;
    const kind = (Object.keys(match.groups!) as (keyof typeof looks)[]).find((name) => match.groups![name] !== undefined)!;
    const isName = language === 'json' && kind === 'text' && code.startsWith(':', match.index + text.length);
    parts.push(
      code.slice(end, match.index),
      <span key={match.index} className={looks[isName ? 'name' : kind]}>
        {text}
      </span>,
    );
    end = match.index + text.length;
  }
  return [...parts, code.slice(end)];
}
