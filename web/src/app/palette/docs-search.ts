import { docsPages, type DocsPageName } from '@tandem/contracts/values';
import { useEffect, useState } from 'react';
import type { DocsSectionText } from '../../features/docs/markdown/docs-sections';
import { wordsOf } from './palette-filter';

export interface FoundSection {
  to: string;
  page: string;
  title: string;
  /** The text around the first word that was found. */
  excerpt: string;
}

interface IndexedSection extends Omit<FoundSection, 'excerpt'> {
  text: string;
  words: string[];
  titleWords: string[];
}

const maxFound = 5;
const charactersBefore = 24;
const maxExcerpt = 120;

let loading: Promise<IndexedSection[]> | undefined;

/** The texts of the documentation, written by the build (vite.docs-markdown.ts). Loaded at the first search, and again after a failure. */
async function loadIndex(): Promise<IndexedSection[]> {
  const response = await fetch('/docs/search.json');
  if (!response.ok) throw new Error(`The search index of the documentation could not be loaded: ${response.status}`);
  const pages = (await response.json()) as Record<DocsPageName, DocsSectionText[]>;
  return Object.entries(pages).flatMap(([name, sections]) =>
    sections.map(({ at, title, text }) => {
      const page = docsPages[name as DocsPageName].title;
      const titleWords = wordsOf(`${title} ${page}`);
      return { to: `/docs/${name}${at}`, page, title: title || page, text, titleWords, words: [...titleWords, ...wordsOf(text)] };
    }),
  );
}

const hasWord = (words: string[], wanted: string) => words.some((word) => word.startsWith(wanted));

/** The sections in which each typed word begins a word; sections whose titles match come first. */
export function searchSections(sections: IndexedSection[], typed: string): FoundSection[] {
  const wanted = wordsOf(typed);
  const inTitle = ({ titleWords }: IndexedSection) => wanted.filter((each) => hasWord(titleWords, each)).length;
  return sections
    .filter(({ words }) => wanted.length > 0 && wanted.every((each) => hasWord(words, each)))
    .sort((one, other) => inTitle(other) - inTitle(one))
    .slice(0, maxFound)
    .map(({ to, page, title, text }) => ({ to, page, title, excerpt: excerptOf(text, wanted) }));
}

function excerptOf(text: string, wanted: string[]): string {
  const lower = text.toLowerCase();
  const at = Math.max(0, ...wanted.map((each) => lower.indexOf(each)));
  const start = at <= charactersBefore ? 0 : text.lastIndexOf(' ', at - charactersBefore) + 1;
  return `${start > 0 ? '…' : ''}${text.slice(start, start + maxExcerpt)}`;
}

/** The documentation sections that match this text; none while the index is loading or if it fails to load. */
export function useDocsSearch(text: string): FoundSection[] {
  const [sections, setSections] = useState<IndexedSection[]>([]);
  const isSearch = text.length > 2;
  useEffect(() => {
    if (!isSearch) return;
    loading ??= loadIndex();
    loading.then(setSections, () => (loading = undefined));
  }, [isSearch]);
  return isSearch ? searchSections(sections, text) : [];
}
