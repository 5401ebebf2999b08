import type { ArticleMatch } from '@tandem/contracts';
import { searchArticles } from '@tandem/contracts/endpoints';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { afterRest } from '../../../lib/after-rest';
import { announce } from '../../../lib/announce';
import { call } from '../../../lib/call';
import { send } from '../../../lib/http';
import type { ApiProblem } from '../../../lib/problem';
import { useTexts } from '../language/texts';
import { recordUse } from './help';

export interface SearchResult {
  query: string;
  articles: ArticleMatch[];
  problem?: ApiProblem;
}

const pauseMs = 250;
/** A reader who rests this long has finished typing, so the search is counted. */
const finishedMs = 1_500;

/** `?q=` of the address: what the reader searches for. It is written once typing rests, because browsers limit how often it may change. */
function useAddressQuery() {
  const [params, setParams] = useSearchParams();
  const query = params.get('q') ?? '';
  const set = useRef<(query: string) => void>(() => undefined);
  useEffect(() => {
    set.current = (next) => {
      if (next === query) return;
      const { q: _, ...others } = Object.fromEntries(params);
      setParams(next === '' ? others : { ...others, q: next }, { replace: true });
    };
  });
  return { query, set };
}

/** Counts a search once, when the reader has finished typing or opens a result. Not the one that the page was opened with. */
function useSearchCount(result: SearchResult | undefined, first: string): () => void {
  const counted = useRef(first);
  const count = useCallback(() => {
    if (!result || result.problem || counted.current === result.query) return;
    counted.current = result.query;
    recordUse({ type: 'search', query: result.query, results: Math.min(result.articles.length, 10) });
  }, [result]);
  useEffect(() => {
    const timer = setTimeout(count, finishedMs);
    return () => clearTimeout(timer);
  }, [count]);
  return count;
}

/** Searches as the reader types. The previous result stays until the next one arrives. */
export function useHelpSearch() {
  const t = useTexts();
  const address = useAddressQuery();
  const [text, setText] = useState(address.query);
  const [first] = useState(address.query);
  const [result, setResult] = useState<SearchResult>();
  const [round, setRound] = useState(0);
  const count = useSearchCount(result, first);
  const written = useRef(address.query);
  const query = text.trim();
  const setAddress = address.set;

  // A link to this page, or the Back button, has changed the address.
  useEffect(() => {
    if (address.query === written.current) return;
    written.current = address.query;
    setText(address.query);
  }, [address.query]);

  useEffect(() => {
    const search = async (signal: AbortSignal): Promise<SearchResult | undefined> => {
      written.current = query;
      setAddress.current(query);
      if (query === '') return undefined;
      const { data = [], problem } = await send(call(searchArticles, { query: { q: query, language: t.language } }), signal);
      return { query, articles: data, ...(problem && { problem }) };
    };
    return afterRest(query === '' ? 0 : pauseMs, search, (found) => {
      setResult(found);
      if (!found || found.problem) return;
      const { length } = found.articles;
      announce(length === 0 ? t('help.no_result', { query }) : t('help.results', { count: length }));
    });
  }, [query, round, setAddress, t]);

  return { text, change: setText, result, retry: () => setRound((before) => before + 1), count };
}
