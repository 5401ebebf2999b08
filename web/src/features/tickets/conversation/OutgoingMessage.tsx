import type { Comment, Ticket } from '@tandem/contracts';
import { pictureMarkdown } from '@tandem/contracts/values';
import { useCallback, useEffect, useState } from 'react';
import { useDispatch } from 'react-redux';
import { useSession } from '../../../app/api';
import type { AppDispatch } from '../../../app/store';
import { useWaiting } from '../../../lib/connection';
import { nameOf } from '../../../lib/names';
import { t } from '../../../lib/staff-texts';
import { Button } from '../../../ui/Button';
import { Rich } from '../../../ui/Rich';
import { signed } from '../composer/draft-storage';
import { sendAnyway, undoText } from '../composer/unsent.effects';
import { sendRequested, type Outgoing } from '../composer/unsent.slice';
import { CommentText } from './CommentText';
import { Message } from './Message';
import { authorOf, newerThan } from './use-conversation';

/** Whole seconds until a moment, updated while the component is mounted. */
function useSecondsUntil(moment: number): number {
  const left = () => Math.max(0, Math.ceil((moment - Date.now()) / 1_000));
  const [seconds, setSeconds] = useState(left);
  useEffect(() => {
    const timer = setInterval(() => setSeconds(left()), 250);
    return () => clearInterval(timer);
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [moment]);
  return seconds;
}

function Waiting({ item }: { item: Outgoing }) {
  const dispatch = useDispatch<AppDispatch>();
  const seconds = useSecondsUntil(item.due_at);
  return (
    <span className="ml-auto flex items-center gap-1">
      <span className="tabular">{t('tickets.conversation.sending_in_seconds_s', { seconds })}</span>
      <Button variant="ghost" size="sm" className="-my-1" onClick={() => dispatch(undoText(item.key))}>
        {t('tickets.conversation.undo')}
      </Button>
      <Button variant="ghost" size="sm" className="-my-1 -mr-2" onClick={() => dispatch(sendRequested({ key: item.key }))}>
        {t('tickets.conversation.send_now')}
      </Button>
    </span>
  );
}

function Sending({ item }: { item: Outgoing }) {
  const waiting = useWaiting(item.key);
  if (!waiting) return <span className="ml-auto">{t('tickets.conversation.sending')}</span>;
  return (
    <span className="ml-auto flex items-center gap-1">
      <span>{t('tickets.conversation.waiting_for_connection')}</span>
      <Button variant="ghost" size="sm" className="-my-1 -mr-2" onClick={waiting.withdraw}>
        {t('tickets.conversation.withdraw')}
      </Button>
    </span>
  );
}

/** 'Priya Raman', 'Priya Raman and Jonas Weber', 'Priya Raman and 2 others'. */
export function namesOf(names: string[]): string {
  const [first = t('tickets.conversation.teammate'), second, ...more] = [...new Set(names)];
  if (!second) return first;
  return more.length === 0
    ? t('tickets.conversation.first_and_second', { first, second })
    : t('tickets.conversation.first_and_count_others', { first, count: more.length + 1 });
}

function Held({ item, comments, ticket }: { item: Outgoing; comments: Comment[]; ticket: Ticket }) {
  const dispatch = useDispatch<AppDispatch>();
  const { profile } = useSession();
  const newer = newerThan(comments, item.last_seen_comment_id, profile.user_id);
  const who = namesOf(newer.map((comment) => authorOf(comment, ticket)));
  return (
    <div role="alert" className="flex flex-wrap items-center gap-2 border-t border-red-line bg-red-soft px-3.5 py-2 text-red-text">
      <p className="min-w-48 flex-1">
        <Rich text={t('tickets.conversation.someone_wrote_in_the_meantime')} tags={{ who: () => <b className="font-semibold">{who}</b> }} />
      </p>
      <Button size="sm" onClick={() => dispatch(undoText(item.key))}>
        {t('tickets.conversation.edit')}
      </Button>
      <Button size="sm" variant="primary" onClick={() => dispatch(sendAnyway(item.key, comments.at(-1)?.id ?? null))}>
        {t('tickets.conversation.send_anyway')}
      </Button>
    </div>
  );
}

/** A picture of the message from this browser: the server has it, but not in a comment yet. */
function LocalPicture({ file, alt }: { file: File; alt: string }) {
  // Object URLs keep the file in memory: revoke them when the image unmounts.
  const show = useCallback(
    (image: HTMLImageElement) => {
      const url = URL.createObjectURL(file);
      image.src = url;
      return () => URL.revokeObjectURL(url);
    },
    [file],
  );
  return <img ref={show} alt={alt} className="my-1 block max-h-96 max-w-full rounded-md border bg-sunken object-contain" />;
}

/** One of the user's messages that is being sent, with its state and a way to undo it. */
export function OutgoingMessage({ item, comments, ticket }: { item: Outgoing; comments: Comment[]; ticket: Ticket }) {
  const { uploads } = item;
  const others = uploads.filter(({ name, file }) => !(file && item.text.includes(pictureMarkdown(name))));
  const localPicture = useCallback(
    (name: string, alt: string) => {
      const file = uploads.find((upload) => upload.name === name)?.file;
      return file && <LocalPicture file={file} alt={alt || name} />;
    },
    [uploads],
  );
  const standing = {
    waiting: <Waiting item={item} />,
    sending: <Sending item={item} />,
    held: <span className="ml-auto font-medium text-red-text">{t('tickets.conversation.not_sent')}</span>,
  }[item.state];
  return (
    <Message
      kind={item.is_internal ? 'internal' : 'staff'}
      author={nameOf(item.author.author, t('tickets.conversation.you'))}
      at={item.written_at}
      standing={standing}
      isFaint
      footer={item.state === 'held' && <Held item={item} comments={comments} ticket={ticket} />}
    >
      <CommentText
        text={signed(item.text, item.signature)}
        isMarkdown
        mentions={item.mentions.map(({ user_id }) => user_id)}
        localPicture={localPicture}
      />
      {others.length > 0 && <p className="mt-2 text-xs text-muted">{others.map(({ name }) => name).join(', ')}</p>}
    </Message>
  );
}
