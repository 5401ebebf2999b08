import type { Ticket } from '@tandem/contracts';
import { markdownText, ticketLimits } from '@tandem/contracts/values';
import { BookOpen, Bot, MessageSquareText } from 'lucide-react';
import {
  lazy,
  Suspense,
  useEffect,
  useRef,
  useState,
  type ClipboardEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from 'react';
import { useDispatch } from 'react-redux';
import { useSession } from '../../../app/api';
import { mergeChanges } from '../../../app/custom-fields/ticket-fields';
import type { PresenceState } from '../../../app/presence';
import type { AppDispatch } from '../../../app/store';
import { cn } from '../../../lib/cn';
import { tokenLabel } from '../../../lib/names';
import { notify } from '../../../lib/notify';
import { modKey, useHotkeys } from '../../../lib/keyboard';
import { t } from '../../../lib/staff-texts';
import { Button } from '../../../ui/Button';
import { Kbd } from '../../../ui/Kbd';
import { DropArea } from '../../../ui/DropArea';
import { FileButton } from '../../../ui/FileButton';
import { filesOf } from '../../../lib/uploads';
import { UploadTray } from '../../../ui/UploadTray';
import { CcRow } from './CcRow';
import { isBlank, joinTexts, type Draft } from './draft-storage';
import { FormatBar, formatOfKey } from '../../../app/formatting/FormatBar';
import type { Format } from '../../../app/formatting/formatting';
import { mentionAt, withMention, type MentionQuery } from './mentions';
import { ModeSwitch } from './ModeSwitch';
import { SendButton } from './SendButton';
import type { Mention } from './unsent.slice';
import { withRequiredFields } from './with-required-fields';
import { useArticles } from './use-articles';
import { useComposer, type Composing } from './use-composer';
import { placeCursor } from '../../../app/formatting/text-edits';
import { useFormatting } from './use-formatting';
import { customerOf } from '../conversation/use-conversation';
import type { FilledMacro } from '../macros/MacroPicker';
import { useOpenTicket, useTicketPart } from '../open-ticket';
import { PartError } from '../PartError';

const MentionList = lazy(() => import('./MentionList').then((module) => ({ default: module.MentionList })));
const FinishedTask = lazy(() => import('./FinishedTask').then((module) => ({ default: module.FinishedTask })));
const PendingChanges = lazy(() => import('./PendingChanges').then((module) => ({ default: module.PendingChanges })));
/** Renders sent messages. Preloaded, so that a sent message appears immediately. */
const loadOutgoing = () => import('../conversation/OutgoingMessage');
const loadMacros = () => import('../macros/MacroPicker');
const MacroPicker = lazy(() => loadMacros().then((module) => ({ default: module.MacroPicker })));
const loadArticles = () => import('./ArticlePicker');
const ArticlePicker = lazy(() => loadArticles().then((module) => ({ default: module.ArticlePicker })));

/** After this long without a keystroke the user counts as no longer writing. */
const restMs = 8_000;

/** Reports when the user starts writing, pauses and sends. A restored draft does not count as writing. */
function useWriting({ text, is_internal }: Pick<Draft, 'text' | 'is_internal'>, onWriting: (state: PresenceState) => void) {
  const untouched = useRef<string | undefined>(text);
  useEffect(() => {
    if (text === untouched.current) return;
    untouched.current = undefined;
    if (text.trim() === '') return onWriting('viewing');
    onWriting(is_internal ? 'writing_note' : 'writing');
    const timer = setTimeout(() => onWriting('viewing'), restMs);
    return () => clearTimeout(timer);
  }, [text, is_internal, onWriting]);
  useEffect(() => () => onWriting('viewing'), [onWriting]);
}

/** The mention being typed, and the handler that inserts the chosen person. */
function useMentions(box: RefObject<HTMLTextAreaElement | null>, { written, write }: Composing) {
  const [query, setQuery] = useState<MentionQuery>();
  return {
    query,
    close: () => setQuery(undefined),
    look: (text: string, cursor: number) => setQuery(mentionAt(text, cursor)),
    pick: (mention: Mention) => {
      if (!query) return;
      const { text, cursor } = withMention(written.text, query, mention.name);
      write({ text, mentions: [...written.mentions, mention] });
      setQuery(undefined);
      placeCursor(box, cursor);
    },
  };
}

/** The list of canned replies, and the handler that inserts one. */
function useMacros(box: RefObject<HTMLTextAreaElement | null>, { written, write }: Composing) {
  const [isOpen, setIsOpen] = useState(false);
  return {
    isOpen,
    open: () => setIsOpen(true),
    close: () => {
      setIsOpen(false);
      placeCursor(box);
    },
    pick: ({ text, is_internal, changes }: FilledMacro) => {
      // Inserts at the cursor. A text that was already started keeps its kind, because a macro must not turn a note into a reply.
      const at = box.current?.selectionStart ?? written.text.length;
      const isBegun = written.text.trim() !== '';
      write({
        text: written.text.slice(0, at) + text + written.text.slice(at),
        is_internal: isBegun ? written.is_internal : is_internal,
        changes: mergeChanges(written.changes, changes),
      });
      setIsOpen(false);
      placeCursor(box, at + text.length);
    },
  };
}

/** Appends a drafted reply to the text, but never to a note, which the customer cannot see. */
function useDraftedReply(box: RefObject<HTMLTextAreaElement | null>, { written, write }: Composing) {
  return (draft: string) => {
    const isBegun = written.text.trim() !== '';
    if (isBegun && written.is_internal)
      return notify.info(t('tickets.composer.you_have_unsent_note'), t('tickets.composer.add_or_remove_it_first'));
    const text = written.text.includes(draft) ? written.text : joinTexts(written.text.trimEnd(), draft);
    write({ text, is_internal: false });
    placeCursor(box, text.length);
  };
}

const bannerPlaceholder = <div aria-hidden className="mb-2 h-11.5 max-sm:h-20" />;

/** The state of the draft disappears with the text, because a sent text is no longer a draft. */
function Hint({ internal, saved }: { internal: boolean; saved: Composing['saved'] }) {
  return (
    <p className={cn('min-w-0 truncate text-xs', internal ? 'text-amber-text' : 'text-muted')}>
      {internal ? t('tickets.composer.visible_to_your_team_only') : t('tickets.composer.visible_to_customer')}
      {saved === 'saved' && <span className="max-md:hidden"> {t('tickets.composer.draft_saved')}</span>}
      {saved === 'failed' && <span className="max-md:hidden"> {t('tickets.composer.draft_is_only_in_browser')}</span>}
    </p>
  );
}

function MissingDraft({ onRetry }: { onRetry: () => void }) {
  const draftPart = useTicketPart('draft');
  if (!draftPart.isMissing) return null;
  return (
    <PartError
      onRetry={() => {
        draftPart.retry();
        onRetry();
      }}
    >
      {t('tickets.composer.couldnt_load_your_saved_draft')}
    </PartError>
  );
}

/** A draft by an API token, until the user changes it. */
function DraftedBy({ composing: { written, write } }: { composing: Composing }) {
  if (!written.token) return null;
  return (
    <div role="status" className="flex items-center gap-2 px-3 pt-2 text-xs text-muted">
      <Bot className="size-3.5 shrink-0" aria-hidden />
      <span className="min-w-0 break-words">{t('tickets.composer.drafted_by_token', { tokenLabel: tokenLabel(written.token) })}</span>
      <Button variant="ghost" size="sm" className="ml-auto shrink-0" onClick={() => write({ text: '' })}>
        {t('tickets.composer.discard')}
      </Button>
    </div>
  );
}

interface ToolbarProps {
  internal: boolean;
  onMode: (isInternal: boolean) => void;
  onFiles: (files: File[]) => void;
  onMacros: () => void;
  onArticles: () => void;
  onFormat: (format: Format) => void;
  /** Undefined if the addresses in Cc are shown already, or nothing is sent to them. */
  onCc: (() => void) | undefined;
  ccButton: RefObject<HTMLButtonElement | null>;
}
function Toolbar({ internal, onMode, onFiles, onMacros, onArticles, onFormat, onCc, ccButton }: ToolbarProps) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-2 gap-y-1 px-2 pt-2">
      <ModeSwitch internal={internal} onChange={onMode} />
      <span className="flex items-center">
        {onCc && (
          <Button ref={ccButton} variant="ghost" size="sm" title={t('tickets.composer.send_copy_of_each_reply')} onClick={onCc}>
            {t('tickets.composer.cc')}
          </Button>
        )}
        <FormatBar onFormat={onFormat} />
        <span aria-hidden className="mx-1 h-4 w-px bg-line max-sm:hidden" />
        <FileButton onFiles={onFiles} />
        <Button
          variant="ghost"
          size="icon-sm"
          aria-label={t('tickets.composer.canned_replies')}
          title={t('tickets.composer.canned_replies_with_key')}
          onPointerEnter={() => void loadMacros()}
          onClick={onMacros}
        >
          <MessageSquareText aria-hidden />
        </Button>
        <Button
          variant="ghost"
          size="icon-sm"
          aria-label={t('tickets.composer.insert_article')}
          title={t('tickets.composer.insert_article_with_key')}
          onPointerEnter={() => void loadArticles()}
          onClick={onArticles}
        >
          <BookOpen aria-hidden />
        </Button>
      </span>
    </div>
  );
}

interface TextBoxProps {
  ticket: Ticket;
  composing: Composing;
  box: RefObject<HTMLTextAreaElement | null>;
  mentions: ReturnType<typeof useMentions>;
  articles: ReturnType<typeof useArticles>;
  formatting: ReturnType<typeof useFormatting>;
  onMacros: () => void;
  onSubmit: () => void;
}
function TextBox({ ticket, composing, box, mentions, articles, formatting, onMacros, onSubmit }: TextBoxProps) {
  const { written, write } = composing;
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const as = formatOfKey(event);
    const isLineBreak = event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing;
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) onSubmit();
    else if (as) formatting.format(as);
    else if (isLineBreak && formatting.breakLine()) mentions.close();
    else if (event.key === 'Escape') event.currentTarget.blur();
    else if (event.key === '/' && written.text === '') onMacros();
    else return;
    event.preventDefault();
  };
  const onPaste = (event: ClipboardEvent<HTMLTextAreaElement>) => {
    const files = filesOf(event);
    // A copied table also puts an image of itself on the clipboard; prefer its text.
    if (files.length === 0 || event.clipboardData.types.includes('text/plain')) return;
    event.preventDefault();
    formatting.addFiles(files);
  };
  return (
    <textarea
      ref={box}
      dir="auto"
      aria-label={written.is_internal ? t('tickets.composer.internal_note') : t('tickets.composer.public_reply')}
      placeholder={
        written.is_internal
          ? t('tickets.composer.write_note_use_to_mention')
          : t('tickets.composer.reply_to_customer', { customerOf: customerOf(ticket) })
      }
      value={written.text}
      maxLength={ticketLimits.comment}
      rows={2}
      onChange={({ target }) => {
        write({ text: target.value });
        mentions.look(target.value, target.selectionStart);
        articles.look(target.value, target.selectionStart);
      }}
      onKeyDown={onKeyDown}
      onPaste={onPaste}
      onFocus={() => void loadOutgoing()}
      onBlur={mentions.close}
      className="block field-sizing-content max-h-[35vh] min-h-15 w-full resize-none bg-transparent px-3 py-2 text-sm outline-none touch:text-base"
    />
  );
}

/** The user's signature, as it will be below the reply. */
function Signature() {
  const { signature } = useSession().profile;
  if (!signature) return null;
  return (
    <p className="line-clamp-2 px-3 pb-2 text-xs whitespace-pre-line text-muted" title={t('tickets.composer.signature_is_added')}>
      <span className="sr-only">{t('tickets.composer.your_signature')} </span>
      {markdownText(signature)}
    </p>
  );
}

function Footer({ composing, onSubmit }: { composing: Composing; onSubmit: Composing['send'] }) {
  const { written, saved, isBlocked } = composing;
  return (
    <div className="flex items-center justify-between gap-2 pr-2 pb-2 pl-3">
      <Hint internal={written.is_internal} saved={isBlank(written) ? undefined : saved} />
      <span className="flex shrink-0 items-center gap-2">
        <span className="flex gap-1 touch:hidden" aria-hidden>
          <Kbd>{modKey}</Kbd>
          <Kbd>{t('tickets.composer.enter')}</Kbd>
        </span>
        <SendButton internal={written.is_internal} disabled={isBlocked} onSend={onSubmit} />
      </span>
    </div>
  );
}

/** The reminder that the task is finished, above the text. */
function FinishedTaskBanner({ ticket, onReply }: { ticket: Ticket; onReply: (draft: string) => void }) {
  const { isLoaded } = useOpenTicket();
  if (!ticket.task_finished_at) return null;
  return (
    <Suspense fallback={bannerPlaceholder}>{isLoaded ? <FinishedTask ticket={ticket} onReply={onReply} /> : bannerPlaceholder}</Suspense>
  );
}

interface PopupsProps {
  ticket: Ticket;
  box: RefObject<HTMLTextAreaElement | null>;
  mentions: ReturnType<typeof useMentions>;
  macros: ReturnType<typeof useMacros>;
  articles: ReturnType<typeof useArticles>;
  isInternal: boolean;
}
/** The lists that open above the text: teammates to mention, canned replies, and articles. */
const Popups = ({ ticket, box, mentions, macros, articles, isInternal }: PopupsProps) => (
  <Suspense fallback={null}>
    {mentions.query && <MentionList query={mentions.query.query} box={box} onPick={mentions.pick} onClose={mentions.close} />}
    {macros.isOpen && <MacroPicker ticket={ticket} onPick={macros.pick} onClose={macros.close} />}
    {articles.isOpen && <ArticlePicker isInternal={isInternal} typed={articles.typed} onPick={articles.pick} onClose={articles.close} />}
  </Suspense>
);

/** The changes that are saved with the text. Most texts have none, so their code is not loaded before. */
function ChangesWithText({ composing: { written, write } }: { composing: Composing }) {
  if (Object.keys(written.changes).length === 0) return null;
  return (
    <Suspense fallback={null}>
      <PendingChanges changes={written.changes} onChange={(changes) => write({ changes })} />
    </Suspense>
  );
}

/** Amber for a note, so that it is not mistaken for a reply. */
const Form = ({ internal, onSubmit, children }: { internal: boolean; onSubmit: () => void; children: ReactNode }) => (
  <form
    aria-label={t('tickets.composer.add_comment')}
    data-above-toasts
    onSubmit={(event) => {
      event.preventDefault();
      onSubmit();
    }}
    className={cn(
      'relative rounded-lg border transition-colors',
      internal
        ? 'border-amber-line bg-amber-soft focus-within:border-amber-solid'
        : 'border-line-strong bg-surface focus-within:border-focus',
    )}
  >
    {children}
  </form>
);

interface ComposerProps {
  ticket: Ticket;
  onSent: () => void;
  onWriting: (state: PresenceState) => void;
}

/** A reply to the customer or a note to the team. */
export function Composer({ ticket, onSent, onWriting }: ComposerProps) {
  const dispatch = useDispatch<AppDispatch>();
  const composing = useComposer(ticket);
  const { written, uploads, isBlocked, write, send } = composing;
  const box = useRef<HTMLTextAreaElement>(null);
  const mentions = useMentions(box, composing);
  const macros = useMacros(box, composing);
  const articles = useArticles(box, composing);
  const formatting = useFormatting(box, composing);
  const reply = useDraftedReply(box, composing);
  useWriting(written, onWriting);
  const submit: Composing['send'] = (more = {}) => {
    if (isBlocked) return;
    mentions.close();
    dispatch(
      withRequiredFields(ticket, mergeChanges(written.changes, more), (changes) => {
        send(changes);
        onSent();
      }),
    );
  };
  const begin = (is_internal: boolean) => {
    write({ is_internal });
    const field = box.current;
    // Browsers place the cursor of a restored draft at its beginning.
    if (field?.selectionEnd === 0) field.setSelectionRange(field.value.length, field.value.length);
    field?.focus();
  };
  useHotkeys({ r: () => begin(false), n: () => begin(true), b: articles.open, 'canned-replies': macros.open });
  const internal = written.is_internal;
  const ccButton = useRef<HTMLButtonElement>(null);
  const [isAddingCc, setIsAddingCc] = useState(false);
  const hasCcRow = ticket.cc.length > 0 || isAddingCc;
  return (
    <DropArea onFiles={formatting.addFiles} className="m-4 mt-3 max-md:m-2">
      <FinishedTaskBanner ticket={ticket} onReply={reply} />
      <MissingDraft onRetry={composing.loadDraft} />
      <Form internal={internal} onSubmit={submit}>
        <Popups {...{ ticket, box, mentions, macros, articles }} isInternal={internal} />
        <Toolbar
          internal={internal}
          onMode={begin}
          onFiles={uploads.add}
          onMacros={macros.open}
          onArticles={articles.open}
          onFormat={formatting.format}
          onCc={internal || hasCcRow ? undefined : () => setIsAddingCc(true)}
          ccButton={ccButton}
        />
        {!internal && <CcRow ticket={ticket} isAdding={isAddingCc} onAdding={setIsAddingCc} opener={ccButton} />}
        <DraftedBy composing={composing} />
        <TextBox {...{ ticket, composing, box, mentions, articles, formatting }} onMacros={macros.open} onSubmit={submit} />
        {!internal && <Signature />}
        <UploadTray uploads={uploads.uploads} onRemove={formatting.removeFile} onRetry={uploads.retry} className="px-3 pb-2" />
        <ChangesWithText composing={composing} />
        <Footer composing={composing} onSubmit={submit} />
      </Form>
    </DropArea>
  );
}
