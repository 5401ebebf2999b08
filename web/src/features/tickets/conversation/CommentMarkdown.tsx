import type { Attachment } from '@tandem/contracts';
import { isInline } from '@tandem/contracts/values';
import { useCallback, useMemo, type ReactNode } from 'react';
import { useListMembersQuery } from '../../../app/api';
import { Markdown } from '../../../lib/markdown';
import { nameOf } from '../../../lib/names';
import { CommentPicture } from '../attachments/AttachmentList';

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Splits text at the mentions of these people: every second part is a mention. */
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

export interface CommentMarkdownProps {
  text: string;
  mentions: string[];
  /** The files of the comment. Its text can contain the pictures among them. */
  attachments: Attachment[];
  /** Shows a picture that is not on the server yet. */
  localPicture?: ((name: string, alt: string) => ReactNode) | undefined;
}

/** The Markdown of staff with mentions and pictures. */
export function CommentMarkdown({ text, mentions, attachments, localPicture }: CommentMarkdownProps) {
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
  return <Markdown text={text} {...(renderText ? { renderText } : {})} picture={picture} />;
}
