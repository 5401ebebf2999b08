import type { Ticket } from '@tandem/contracts';
import { ticketLimits } from '@tandem/contracts/values';
import { Plus, X } from 'lucide-react';
import { useEffect, useId, useRef, useState, type KeyboardEvent, type RefObject } from 'react';
import { t } from '../../../lib/staff-texts';
import { Button } from '../../../ui/Button';
import { useTicketChange } from '../use-ticket-change';

/** The server checks the address; this only finds typing errors before it is sent. */
const looksLikeAddress = (text: string) => /^[^\s@,;<>]+@[^\s@,;<>]+\.[^\s@,;<>.]+$/.test(text);

function problemOf(address: string, { cc, customer_email }: Ticket): string | undefined {
  if (!looksLikeAddress(address)) return t('tickets.composer.enter_email_address');
  if (address === customer_email) return t('tickets.composer.customer_gets_every_reply');
  if (cc.includes(address)) return t('tickets.composer.already_in_cc');
  return undefined;
}

interface AddressInputProps {
  ticket: Ticket;
  onAdd: (address: string) => void;
  /** Called when a key closes the field: the focus returns to the row. */
  onClose: () => void;
  /** Called when the empty field loses the focus, which is already elsewhere. */
  onLeave: () => void;
}
/** Enter or a comma adds the address. Escape closes the field without adding the typed text. */
function AddressInput({ ticket, onAdd, onClose, onLeave }: AddressInputProps) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const id = useId();
  const add = (close: () => void) => {
    const address = text.trim().toLowerCase();
    if (address === '') return close();
    const found = problemOf(address, ticket);
    setProblem(found);
    if (found) return;
    onAdd(address);
    setText('');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onClose();
    else if (event.key === 'Enter' || event.key === ',') add(onClose);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <>
      <input
        autoFocus
        type="email"
        aria-label={t('tickets.composer.add_address_to_cc')}
        aria-invalid={problem !== undefined}
        aria-describedby={problem && id}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={ticketLimits.email}
        placeholder="name@example.com"
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          setProblem(undefined);
        }}
        onKeyDown={onKeyDown}
        onBlur={() => add(onLeave)}
        className="h-6 min-w-44 flex-1 bg-transparent px-1 outline-none touch:h-10 touch:text-base"
      />
      {problem && (
        <span id={id} role="alert" className="text-red-text">
          {problem}
        </span>
      )}
    </>
  );
}

/** Focuses the button that takes the place of the focused one, or the row's opener if the row is no longer shown. */
function useFocusInRow(cc: string[], isAdding: boolean, opener: RefObject<HTMLButtonElement | null>) {
  const row = useRef<HTMLDivElement>(null);
  const wanted = useRef<number>(undefined);
  useEffect(() => {
    if (wanted.current === undefined) return;
    const buttons = row.current?.querySelectorAll('button') ?? [];
    const next = buttons[Math.min(wanted.current, buttons.length - 1)] ?? opener.current;
    wanted.current = undefined;
    next?.focus();
  }, [cc, isAdding, opener]);
  return { row, focusNext: (index: number) => void (wanted.current = index) };
}

interface CcRowProps {
  ticket: Ticket;
  isAdding: boolean;
  onAdding: (on: boolean) => void;
  /** The button that shows the row. */
  opener: RefObject<HTMLButtonElement | null>;
}
/** The addresses that get a copy of each reply. A change applies to the ticket immediately. */
export function CcRow({ ticket, isAdding, onAdding, opener }: CcRowProps) {
  const { setCc } = useTicketChange(ticket.id);
  const { cc } = ticket;
  const { row, focusNext } = useFocusInRow(cc, isAdding, opener);
  const close = () => onAdding(false);
  const isLastPossible = cc.length + 1 === ticketLimits.cc;
  const closeByKey = () => {
    focusNext(cc.length);
    close();
  };
  const add = (address: string) => {
    if (isLastPossible) focusNext(cc.length);
    void setCc([...cc, address]);
  };
  const remove = (index: number) => {
    focusNext(index);
    close();
    void setCc(cc.filter((_, each) => each !== index));
  };
  if (cc.length === 0 && !isAdding) return null;
  return (
    <div ref={row} role="group" aria-label={t('tickets.composer.cc')} className="flex flex-wrap items-center gap-1 px-3 pt-2 text-xs">
      <span className="mr-1 text-muted" aria-hidden>
        {t('tickets.composer.cc')}
      </span>
      {cc.map((address, index) => (
        <span key={address} className="inline-flex h-6 max-w-full items-center gap-0.5 rounded-sm bg-gray-soft pl-1.5 touch:h-10">
          <span className="truncate">{address}</span>
          <button
            type="button"
            aria-label={t('tickets.composer.remove_address_from_cc', { address })}
            onClick={() => remove(index)}
            className="grid size-6 place-items-center text-muted hover:text-ink touch:size-10"
          >
            <X className="size-3" aria-hidden />
          </button>
        </span>
      ))}
      {cc.length < ticketLimits.cc &&
        (isAdding ? (
          <AddressInput ticket={ticket} onAdd={add} onClose={closeByKey} onLeave={close} />
        ) : (
          <Button
            variant="ghost"
            size="icon-sm"
            className="size-6 touch:size-10"
            aria-label={t('tickets.composer.add_to_cc')}
            onClick={() => onAdding(true)}
          >
            <Plus aria-hidden />
          </Button>
        ))}
    </div>
  );
}
