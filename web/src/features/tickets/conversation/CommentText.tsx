import type { Attachment } from '@tandem/contracts';
import { lazy, Suspense, useState } from 'react';
import { LinkedText } from '../../../lib/linked-text';
import { t } from '../../../lib/staff-texts';
import type { CommentMarkdownProps } from './CommentMarkdown';

// Requested together with the page but not part of its first load: customers' texts need no formatting.
const markdown = import('./CommentMarkdown');
const CommentMarkdown = lazy(() => markdown.then((module) => ({ default: module.CommentMarkdown })));

/** Longer texts are folded, so that an email with its whole history does not hide the conversation. */
const foldAbove = { characters: 1_800, lines: 24 };
const foldTo = { characters: 1_200, lines: 16 };

function beginningOf(text: string): string | undefined {
  const lines = text.split('\n', foldAbove.lines + 1);
  if (text.length <= foldAbove.characters && lines.length <= foldAbove.lines) return undefined;
  const cut = lines.slice(0, foldTo.lines).join('\n').slice(0, foldTo.characters);
  // Cuts at white space if there is any, so that no word is split; never inside a surrogate pair.
  return (/^[\s\S]*\s/.exec(cut.slice(0, -1))?.[0] ?? cut).toWellFormed().trimEnd();
}

const noMentions: string[] = [];
const noFiles: Attachment[] = [];

interface CommentTextProps extends Partial<CommentMarkdownProps> {
  text: string;
  /** Staff write Markdown; the text of customers is shown as they typed it. */
  isMarkdown?: boolean;
}

/** A person's text in its own direction, with links and, in the Markdown of staff, formatting, mentions and pictures. */
export function CommentText({ text, isMarkdown = false, mentions = noMentions, attachments = noFiles, localPicture }: CommentTextProps) {
  const [whole, setWhole] = useState(false);
  const beginning = beginningOf(text);
  const shown = beginning === undefined || whole ? text : `${beginning} …`;
  const plain = (
    <div dir="auto" className="[overflow-wrap:anywhere] whitespace-pre-wrap">
      <LinkedText text={shown} />
    </div>
  );
  return (
    <>
      {isMarkdown ? (
        <Suspense fallback={plain}>
          <CommentMarkdown text={shown} mentions={mentions} attachments={attachments} localPicture={localPicture} />
        </Suspense>
      ) : (
        plain
      )}
      {beginning !== undefined && (
        <button
          type="button"
          aria-expanded={whole}
          onClick={() => setWhole(!whole)}
          className="mt-1.5 rounded-sm text-xs font-medium text-accent-text hover:underline touch:py-2"
        >
          {whole ? t('tickets.conversation.show_less') : t('tickets.conversation.show_more')}
        </button>
      )}
    </>
  );
}
