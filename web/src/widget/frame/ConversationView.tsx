/** @jsxImportSource preact */
import type { PublicComment, PublicTicket } from '@tandem/contracts';
import { renderMarkdown, type MarkdownOutput } from '@tandem/contracts/values';
import { h, type ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { formatRelative } from '../../lib/dates';
import type { Calls } from './calls';
import type { WidgetStorage } from './storage';
import { Note } from './components';
import { useTexts, withLink } from './texts';
import { Reply } from './Reply';

interface ConversationViewProps {
  ticket: PublicTicket;
  /** The visitor has just created the ticket here. */
  isNew: boolean;
  /** Address of the organization's public page. */
  page: string;
  calls: Calls;
  stored: WidgetStorage;
  onSent: (newTicket: { id: string; ticket_number: string } | null) => void;
  onNewTicket: () => void;
  onOther: (ticket: { id: string; ticket_number: string }) => void;
}

/** Number of comments from the organization: unread ones among them are shown to the visitor as new. */
export const replyCount = (ticket: PublicTicket): number => ticket.comments.filter(({ is_from_customer }) => !is_from_customer).length;

export function ConversationView(props: ConversationViewProps) {
  const { ticket, isNew, page, onOther } = props;
  const t = useTexts();
  const end = useRef<HTMLLIElement>(null);
  const count = ticket.comments.length;
  useEffect(() => {
    if (count > 0) end.current?.scrollIntoView({ block: 'nearest' });
  }, [count]);
  const statusPage = `${page}/ticket-status/${ticket.id}?email=${encodeURIComponent(ticket.customer_email)}`;
  return (
    <article>
      {isNew && (
        <Note tone="good">
          <strong>{t('form.done')}</strong>
          <br />
          {t('form.done_text', { number: ticket.ticket_number })}
        </Note>
      )}
      <p class="number">
        <bdi>{ticket.ticket_number}</bdi>
        <span class={`status ${ticket.status}`}>{t(`status.${ticket.status}`)}</span>
      </p>
      <h2 dir="auto">{ticket.subject}</h2>
      <ol aria-label={t('conversation.label')} aria-live="polite" class="conversation">
        {ticket.earlier_cursor && (
          <li class="faint">
            <a href={statusPage} target="_blank" rel="noopener">
              {t('conversation.earlier')}
            </a>
          </li>
        )}
        <Entry
          who={ticket.customer_name ?? t('conversation.you')}
          isOwn
          at={ticket.created_at}
          text={ticket.description ?? ticket.subject}
        />
        {ticket.comments.map((comment) => (
          <CommentEntry key={comment.id} comment={comment} name={ticket.customer_name} statusPage={statusPage} />
        ))}
        <li ref={end} class="away" aria-hidden="true" />
      </ol>
      {ticket.merged_into ? <Merged into={ticket.merged_into} onOther={onOther} /> : <Reply key={ticket.id} {...props} />}
      <p class="faint">
        <a href={statusPage} target="_blank" rel="noopener">
          {t('conversation.full_page')}
        </a>
      </p>
    </article>
  );
}

function CommentEntry({ comment, name, statusPage }: { comment: PublicComment; name: string | null; statusPage: string }) {
  const t = useTexts();
  const { is_from_customer: isOwn, author_name, created_at, content, attachments } = comment;
  return (
    <Entry who={isOwn ? (name ?? t('conversation.you')) : (author_name ?? t('frame.support'))} isOwn={isOwn} at={created_at} text={content}>
      {attachments.length > 0 && (
        <p class="faint">
          <a href={statusPage} target="_blank" rel="noopener">
            {t('conversation.files', { count: attachments.length })}
          </a>
        </p>
      )}
    </Entry>
  );
}

interface EntryProps {
  who: string;
  isOwn: boolean;
  at: string;
  text: string;
  children?: ComponentChildren;
}
const Entry = ({ who, isOwn, at, text, children }: EntryProps) => (
  <li class={isOwn ? 'entry own' : 'entry'}>
    <p class="who">
      <strong>
        <bdi>{who}</bdi>
      </strong>{' '}
      <time dateTime={at}>{formatRelative(at)}</time>
    </p>
    {isOwn ? (
      <p dir="auto" class="text">
        <Linked text={text} />
      </p>
    ) : (
      <Formatted text={text} />
    )}
    {children}
  </li>
);

/** Same as `lib/linked-text.tsx`, which uses React. */
const address = /(https?:\/\/[^\s<>"')\]]+[^\s<>"')\].,;:!?])/g;
const newTab = { target: '_blank', rel: 'noopener noreferrer nofollow' };
const Linked = ({ text }: { text: string }) => (
  <>
    {text.split(address).map((part, index) =>
      index % 2 === 1 ? (
        <a key={index} href={part} {...newTab}>
          {part}
        </a>
      ) : (
        part
      ),
    )}
  </>
);

export const markdownElement: MarkdownOutput<ComponentChildren>['element'] = (tag, key, children, attributes) =>
  h(tag, { key, ...attributes, ...(tag === 'a' ? newTab : {}) }, children);

/** Same as `lib/markdown.tsx`, which uses React. The frame shows no pictures: they are on the ticket's page. */
const Formatted = ({ text }: { text: string }) => (
  <div dir="auto" class="text">
    {renderMarkdown<ComponentChildren>(text, {
      element: markdownElement,
      text: (each) => each,
      picture: (file, alt) => `[${alt || file}]`,
    })}
  </div>
);

type Other = { id: string; ticket_number: string };
function Merged({ into, onOther }: { into: Other; onOther: (ticket: Other) => void }) {
  const t = useTexts();
  return (
    <Note tone="plain">
      {withLink(t('conversation.continues', { number: into.ticket_number }), (number) => (
        <button type="button" class="link" onClick={() => onOther(into)}>
          {number}
        </button>
      ))}
    </Note>
  );
}
