import { announce } from '../../../lib/announce';
import { notify } from '../../../lib/notify';
import { onSignOut } from '../../../lib/session-cleanup';
import { isProblem, isWithdrawn } from '../../../lib/problem';
import { isUnanswered } from '../../../lib/resend';
import { uniqueKey } from '../../../lib/unique';
import { drafts } from './drafts';
import { show, shownItems, storedItems, type Letter, type Outgoing } from './outgoing';

/** How long a sent text can be undone. The same for replies and notes, so that both behave alike. */
export const undoSeconds = 10;

/** Sends an item; `keepalive` lets the request outlive the page. */
export type Post = (item: Outgoing, keepalive: boolean) => Promise<{ error?: unknown }>;

/** Delay before the next attempt when the page was about to close but stayed open. */
const retryMs = 1_000;
/** The user whose stored texts this page has resumed. */
let resumedFor: string | undefined;

const posts = new Map<string, Post>();
const timers = new Map<string, ReturnType<typeof setTimeout>>();
/** The composers on screen by ticket; an undone text returns to its composer. */
const composers = new Map<string, (item: Outgoing) => void>();

const change = (key: string, news: Partial<Outgoing>) => show(shownItems().map((item) => (item.key === key ? { ...item, ...news } : item)));
const itemOf = (key: string) => shownItems().find((item) => item.key === key);

function take(key: string): Outgoing | undefined {
  clearTimeout(timers.get(key));
  timers.delete(key);
  const item = itemOf(key);
  show(shownItems().filter((each) => each.key !== key));
  return item;
}

/** Returns a text to its composer or, if that is not on screen, to the draft that it will open with. */
function giveBack(item: Outgoing): void {
  posts.delete(item.key);
  const composer = composers.get(item.ticket_id);
  drafts.release(item.ticket_id, item.key, composer ? undefined : { text: item.text, is_internal: item.is_internal });
  composer?.(item);
}

function failed(key: string, error: unknown): void {
  if (isProblem(error) && error.code === 'comment.outdated') {
    change(key, { state: 'held' });
    const item = itemOf(key);
    if (item && !composers.has(item.ticket_id)) notify.error(`${item.ticket_number}: another reply came in, so yours was not sent.`);
    return;
  }
  const item = take(key);
  if (!item) return;
  giveBack(item);
  if (!isWithdrawn(error)) notify.error('Failed to add comment');
}

function wait(key: string, ms: number): void {
  change(key, { state: 'waiting', due_at: Date.now() + ms });
  timers.set(
    key,
    setTimeout(() => void post(key), ms),
  );
}

async function post(key: string, keepalive = false): Promise<void> {
  clearTimeout(timers.get(key));
  timers.delete(key);
  const item = itemOf(key);
  if (!item || item.state === 'sending') return;
  change(key, { state: 'sending' });
  const { error } = (await posts.get(key)?.(item, keepalive)) ?? {};
  // The page was closing and stayed open, or will resume after a reload: the text waits until then.
  if (keepalive && isProblem(error) && isUnanswered(error)) return wait(key, retryMs);
  if (error) return failed(key, error);
  take(key);
  posts.delete(key);
  drafts.release(item.ticket_id, key);
  notify.success('Comment added');
}

/**
 * The texts being sent on all tickets. Independent of any page, so leaving a page neither stops nor speeds them up. A text is sent after
 * ten seconds, immediately on 'Send now', and when the page closes. Its draft is kept until the server has accepted it.
 */
export const outbox = {
  /** `key` is the idempotency key of an earlier attempt with exactly the same request, so that the comment cannot be added twice. */
  put(letter: Letter, send: Post, key = uniqueKey()): void {
    posts.set(key, send);
    drafts.setAside(letter.ticket_id, key, { text: letter.text, is_internal: letter.is_internal });
    const item = {
      ...letter,
      key,
      written_at: new Date().toISOString(),
      due_at: Date.now() + undoSeconds * 1_000,
      state: 'waiting' as const,
    };
    show([...shownItems(), item]);
    wait(key, undoSeconds * 1_000);
    announce(`Sending in ${undoSeconds} seconds. You can undo it in the conversation.`);
  },
  /** After a reload, resends unanswered texts under their original keys. Must be called before a composer reads its draft. */
  resume(user_id: string, send: Post): void {
    if (resumedFor === user_id) return;
    resumedFor = user_id;
    const left = storedItems(user_id).filter(({ key }) => !itemOf(key));
    for (const { key, ticket_id, text, is_internal } of left) {
      posts.set(key, send);
      drafts.resume(ticket_id, key, { text, is_internal });
    }
    // Deferred, because it is called during a render, which must not update other components.
    queueMicrotask(() => {
      if (left.length === 0) return;
      show([...shownItems(), ...left.map((item): Outgoing => (item.state === 'held' ? item : { ...item, state: 'waiting' }))]);
      for (const { key, state } of left) if (state !== 'held') void post(key);
    });
  },
  undo(key: string): void {
    if (itemOf(key)?.state === 'sending') return;
    const item = take(key);
    if (item) giveBack(item);
  },
  sendNow: (key: string): void => void post(key),
  /** Sends a held text after the newer comments were shown, so that they count as read. */
  sendAnyway(key: string, last_seen_comment_id: string | null): void {
    const send = posts.get(key);
    const fresh = uniqueKey();
    const item = itemOf(key);
    if (!item || !send) return;
    // Needs a new key: the server has stored its refusal under the old one.
    posts.delete(key);
    posts.set(fresh, send);
    drafts.rename(item.ticket_id, key, fresh);
    change(key, { key: fresh, state: 'waiting', last_seen_comment_id });
    void post(fresh);
  },
  /** Sends all waiting texts now, because the page is closing. */
  flush: (): void =>
    shownItems()
      .filter(({ state }) => state === 'waiting')
      .forEach(({ key }) => void post(key, true)),
  /** Registers the composer of a ticket until the returned function is called. */
  attend(ticket_id: string, onBack: (item: Outgoing) => void): () => void {
    composers.set(ticket_id, onBack);
    return () => {
      if (composers.get(ticket_id) === onBack) composers.delete(ticket_id);
    };
  },
};

// When the session ends, waiting texts are sent; unsent text remains in its author's draft, in this browser and on the server.
onSignOut({
  finish: () => {
    outbox.flush();
    drafts.flush();
  },
  drop: () => {
    for (const { key } of shownItems()) take(key);
    resumedFor = undefined;
    posts.clear();
    composers.clear();
    drafts.belongTo('');
  },
});

addEventListener('pagehide', () => {
  outbox.flush();
  drafts.flush(undefined, true);
});
addEventListener('beforeunload', (event) => {
  if (!drafts.hasUnsaved()) return;
  // The draft is already stored in this browser; the confirmation dialog gives the request to the server time to finish.
  drafts.flush();
  event.preventDefault();
});
