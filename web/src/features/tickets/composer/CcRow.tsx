import type { Ticket } from '@tandem/contracts';
import { ticketLimits } from '@tandem/contracts/values';
import { Plus, X } from 'lucide-react';
import { useId, useState, type KeyboardEvent } from 'react';
import { Button } from '../../../ui/Button';
import { useTicketChange } from '../use-ticket-change';

/** The server checks the address; this only finds typing errors before it is sent. */
const looksLikeAddress = (text: string) => /^[^\s@,;<>]+@[^\s@,;<>]+\.[^\s@,;<>.]+$/.test(text);

function problemOf(address: string, { cc, customer_email }: Ticket): string | undefined {
  if (!looksLikeAddress(address)) return 'Enter an email address';
  if (address === customer_email) return 'The customer gets every reply';
  if (cc.includes(address)) return 'Already in Cc';
  return undefined;
}

interface AddressInputProps {
  ticket: Ticket;
  onAdd: (address: string) => void;
  onClose: () => void;
}
/** Enter or a comma adds the address. Left empty, the field closes. */
function AddressInput({ ticket, onAdd, onClose }: AddressInputProps) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const id = useId();
  const add = () => {
    const address = text.trim().toLowerCase();
    if (address === '') return onClose();
    const found = problemOf(address, ticket);
    setProblem(found);
    if (found) return;
    onAdd(address);
    setText('');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onClose();
    else if (event.key === 'Enter' || event.key === ',') add();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <>
      <input
        autoFocus
        type="email"
        aria-label="Add an address to Cc"
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
        onBlur={add}
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

/** The addresses that get a copy of each reply. A change applies to the ticket immediately. */
export function CcRow({ ticket, isAdding, onAdding }: { ticket: Ticket; isAdding: boolean; onAdding: (on: boolean) => void }) {
  const { setCc } = useTicketChange(ticket.id);
  const { cc } = ticket;
  if (cc.length === 0 && !isAdding) return null;
  return (
    <div role="group" aria-label="Cc" className="flex flex-wrap items-center gap-1 px-3 pt-2 text-xs">
      <span className="mr-1 text-muted" aria-hidden>
        Cc
      </span>
      {cc.map((address) => (
        <span key={address} className="inline-flex h-6 max-w-full items-center gap-0.5 rounded-sm bg-gray-soft pl-1.5 touch:h-10">
          <span className="truncate">{address}</span>
          <button
            type="button"
            aria-label={`Remove ${address} from Cc`}
            onClick={() => void setCc(cc.filter((each) => each !== address))}
            className="grid size-6 place-items-center text-muted hover:text-ink touch:size-10"
          >
            <X className="size-3" aria-hidden />
          </button>
        </span>
      ))}
      {isAdding ? (
        <AddressInput ticket={ticket} onAdd={(address) => void setCc([...cc, address])} onClose={() => onAdding(false)} />
      ) : (
        cc.length < ticketLimits.cc && (
          <Button variant="ghost" size="icon-sm" className="size-6 touch:size-10" aria-label="Add to Cc" onClick={() => onAdding(true)}>
            <Plus aria-hidden />
          </Button>
        )
      )}
    </div>
  );
}
