import { ticketLimits } from '@tandem/contracts/values';
import { useState, type RefObject } from 'react';
import { notify } from '../../../lib/notify';
import { t } from '../../../lib/staff-texts';
import type { Composing } from './use-composer';
import { placeCursor } from '../../../app/formatting/text-edits';

/** Typed at the start of a word, this opens the search. It stays in the text until an article is inserted. */
const trigger = '??';
const isTriggered = (text: string, cursor: number) => /(?:^|[\s(])\?\?$/.test(text.slice(Math.max(0, cursor - 3), cursor));

/** The search of articles, and the handler that inserts the link or the text of one. */
export function useArticles(box: RefObject<HTMLTextAreaElement | null>, { write, latestText }: Composing) {
  const [state, setState] = useState<{ isOpen: boolean; from?: number }>({ isOpen: false });
  const cursor = () => box.current?.selectionStart ?? latestText().length;
  const from = state.from;
  return {
    isOpen: state.isOpen,
    open: () => setState({ isOpen: true }),
    look: (text: string, at: number) => {
      if (isTriggered(text, at)) setState({ isOpen: true, from: at - trigger.length });
    },
    /** What was typed after `??` until the search appeared. */
    typed: (): string => (from === undefined ? '' : latestText().slice(from + trigger.length, cursor())),
    close: () => {
      setState({ isOpen: false });
      placeCursor(box);
    },
    pick: (inserted: string) => {
      const to = cursor();
      const start = Math.min(from ?? to, to);
      const text = latestText().slice(0, start) + inserted + latestText().slice(to);
      setState({ isOpen: false });
      if (text.length > ticketLimits.comment)
        return notify.info(t('tickets.composer.article_too_long'), t('tickets.composer.insert_link_instead'));
      write({ text });
      placeCursor(box, start + inserted.length);
    },
  };
}
