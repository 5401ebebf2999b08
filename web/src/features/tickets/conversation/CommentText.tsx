import type { Attachment } from '@tandem/contracts';
import { isInline } from '@tandem/contracts/values';
import { useCallback, useMemo, useState, type ReactNode } from 'react';
import { useListMembersQuery } from '../../../app/api';
import { LinkedText } from '../../../lib/linked-text';
import { Markdown } from '../../../lib/markdown';
import { nameOf } from '../../../lib/names';
import { CommentPicture } from '../attachments/AttachmentList';

/** Longer texts are folded, so that a mail with its whole history does not bury the conversation. */
const foldAbove = { characters: 1_800, lines: 24 };
const foldTo = { characters: 1_200, lines: 16 };

function beginningOf(text: string): string | undefined {
  const lines = text.split('\n', foldAbove.lines + 1);
  if (text.length <= foldAbove.characters && lines.length <= foldAbove.lines) return undefined;
  const cut = lines.slice(0, foldTo.lines).join('\n').slice(0, foldTo.characters);
  // Cuts at white space if there is any, so that no word is split; never inside a surrogate pair.
  return (/^[\s\S]*\s/.exec(cut.slice(0, -1))?.[0] ?? cut).toWellFormed().trimEnd();
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Splits a text at the mentions of these people: every second part is a mention. */
function splitAtMentions(text: string, names: string[]): string[] {
  if (names.length === 0) return [text];
  // Longest name first, so that `@Ada Okafor` is not matched as `@Ada`.
  const longestFirst = [...names].sort((one, other) => other.length - one.length);
  return text.split(new RegExp(`(@(?:${longestFirst.map(escaped).join('|')}))`));
}

const withMentions = (text: string, names: string[]): ReactNode =>
  splitAtMentions(text, names).map((part, index) =>
    index % 2 === 1 ? (
      <span key={index} className="rounded-xs bg-accent-soft px-0.5 font-medium text-accent-text">
        {part}
      </span>
    ) : (
      part
    ),
  );

const noMentions: string[] = [];
const noFiles: Attachment[] = [];

interface CommentTextProps {
  text: string;
  /** Staff write Markdown; the text of customers is shown as they typed it. */
  isMarkdown?: boolean;
  mentions?: string[];
  /** The files of the comment, the pictures among which can be part of its text. */
  attachments?: Attachment[];
  /** Shows a picture that is not on the server yet. */
  localPicture?: (name: string, alt: string) => ReactNode;
}

/** A person's text in its own direction, with links and, in the Markdown of staff, formatting, mentions and pictures. */
export function CommentText({ text, isMarkdown = false, mentions = noMentions, attachments = noFiles, localPicture }: CommentTextProps) {
  const [whole, setWhole] = useState(false);
  const { data: members = [] } = useListMembersQuery(undefined, { skip: mentions.length === 0 });
  const renderText = useMemo(() => {
    const names = members.filter(({ user_id }) => mentions.includes(user_id)).map((member) => nameOf(member));
    return names.length === 0 ? undefined : (part: string) => withMentions(part, names);
  }, [members, mentions]);
  const picture = useCallback(
    (name: string, alt: string) => {
      const file = attachments.find(({ file_name, content_type }) => file_name === name && isInline(content_type));
      return file ? <CommentPicture file={file} alt={alt} /> : localPicture?.(name, alt);
    },
    [attachments, localPicture],
  );
  const beginning = beginningOf(text);
  const shown = beginning === undefined || whole ? text : `${beginning} …`;
  return (
    <>
      {isMarkdown ? (
        <Markdown text={shown} {...(renderText ? { renderText } : {})} picture={picture} />
      ) : (
        <div dir="auto" className="[overflow-wrap:anywhere] whitespace-pre-wrap">
          <LinkedText text={shown} />
        </div>
      )}
      {beginning !== undefined && (
        <button
          type="button"
          aria-expanded={whole}
          onClick={() => setWhole(!whole)}
          className="mt-1.5 rounded-sm text-xs font-medium text-accent-text hover:underline touch:py-2"
        >
          {whole ? 'Show less' : 'Show more'}
        </button>
      )}
    </>
  );
}
