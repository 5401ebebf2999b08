import type { Ticket, TicketEmail } from '@tandem/contracts';
import { cn } from '../../../lib/cn';
import { notify } from '../../../lib/notify';
import { t } from '../../../lib/staff-texts';
import { Alert } from '../../../ui/Alert';
import { Badge, type BadgeTone } from '../../../ui/Badge';
import { Button } from '../../../ui/Button';
import { Time } from '../../../ui/Time';
import { useTicketPart } from '../open-ticket';
import { PartError } from '../PartError';
import { useListTicketEmailsQuery, useRetryEmailMutation, type TicketMails } from './customer.api';
import { FoldedSection } from './FoldedSection';
import { Section } from './Section';

const names: Record<string, string> = {
  ticket_created: t('tickets.panel.confirmation'),
  ticket_reply: t('tickets.panel.reply'),
  ticket_waiting: t('tickets.panel.waiting_for_customer'),
  ticket_resolved: t('tickets.panel.resolved'),
  survey_invitation: t('tickets.panel.survey'),
  reply_refused: t('tickets.panel.reply_rejected'),
};

const states: Record<TicketEmail['state'], { label: string; tone: BadgeTone }> = {
  pending: { label: t('tickets.panel.waiting'), tone: 'gray' },
  sending: { label: t('tickets.panel.sending'), tone: 'gray' },
  sent: { label: t('tickets.panel.sent'), tone: 'green' },
  failed: { label: t('tickets.panel.failed'), tone: 'red' },
  bounced: { label: t('tickets.panel.bounced'), tone: 'red' },
};

/** The other server reported a delay, and keeps trying. */
const isDelayed = ({ state, last_error }: TicketEmail) => state === 'sent' && last_error !== null;
const shownState = (mail: TicketEmail): { label: string; tone: BadgeTone } =>
  isDelayed(mail) ? { label: t('tickets.panel.delayed'), tone: 'amber' } : states[mail.state];
const isLost = ({ state }: TicketEmail) => state === 'failed' || state === 'bounced';
/** The number of emails shown before the list is expanded. */
const shownAtOnce = 3;

function MailLine({ mail, ticketId }: { mail: TicketEmail; ticketId: string }) {
  const [retry, { isLoading }] = useRetryEmailMutation();
  const again = async () => {
    const { error } = await retry({ email_id: mail.id, ticket_id: ticketId });
    if (error) notify.problem(error, t('tickets.panel.couldnt_resend_email'));
  };
  const { label, tone } = shownState(mail);
  return (
    <li className="flex flex-col gap-0.5">
      <div className="flex items-center gap-2">
        <span className="truncate">{names[mail.kind] ?? mail.kind}</span>
        <Badge tone={tone} className="ml-auto">
          {label}
        </Badge>
      </div>
      <div className="flex items-center gap-2 text-xs text-muted">
        <Time iso={mail.sent_at ?? mail.created_at} />
        {isLost(mail) && (
          <Button size="sm" variant="ghost" className="-my-1 ml-auto" busy={isLoading} onClick={() => void again()}>
            {t('tickets.panel.resend')}
          </Button>
        )}
      </div>
      {mail.last_error && (
        <p className={cn('text-xs [overflow-wrap:anywhere]', isDelayed(mail) ? 'text-muted' : 'text-red-text')}>{mail.last_error}</p>
      )}
    </li>
  );
}

function Bounced({ ticket, bounced }: { ticket: Ticket; bounced: TicketMails['bounced'] }) {
  const mark = bounced.find(({ address }) => address === ticket.customer_email);
  if (!mark) return null;
  return (
    <Alert tone="destructive" className="mb-2 text-xs">
      {mark.reason
        ? t('tickets.panel.emails_bounce_with_reason', { address: mark.address, reason: mark.reason })
        : t('tickets.panel.emails_bounce', { address: mark.address })}
    </Alert>
  );
}

/** The emails sent to the customer and whether they arrived, collapsed unless one did not arrive. Renders nothing if there are none. */
export function Mails({ ticket }: { ticket: Ticket }) {
  const { isMissing, retry } = useTicketPart('emails');
  const { currentData, isError, isFetching, refetch } = useListTicketEmailsQuery(ticket.id, { skip: isMissing });
  if (!currentData && (isMissing || isError)) {
    return (
      <Section title={t('tickets.panel.emails_to_customer')}>
        <PartError busy={isFetching} onRetry={isMissing ? retry : () => void refetch()}>
          {t('tickets.panel.couldnt_load_emails')}
        </PartError>
      </Section>
    );
  }
  if (!currentData || currentData.emails.length === 0) return null;
  const { emails, bounced } = currentData;
  const [latest] = emails;
  const rest = emails.slice(shownAtOnce);
  return (
    <FoldedSection
      title={t('tickets.panel.emails_to_customer')}
      isUrgent={emails.some(isLost)}
      summary={latest && <Badge tone={shownState(latest).tone}>{shownState(latest).label}</Badge>}
    >
      <Bounced ticket={ticket} bounced={bounced} />
      <ul className="flex flex-col gap-2">
        {emails.slice(0, shownAtOnce).map((mail) => (
          <MailLine key={mail.id} mail={mail} ticketId={ticket.id} />
        ))}
      </ul>
      {rest.length > 0 && (
        <details className="mt-2">
          <summary className="cursor-pointer text-xs text-accent-text hover:underline touch:py-2">
            {t('tickets.panel.count_earlier', { count: rest.length })}
          </summary>
          <ul className="mt-2 flex flex-col gap-2">
            {rest.map((mail) => (
              <MailLine key={mail.id} mail={mail} ticketId={ticket.id} />
            ))}
          </ul>
        </details>
      )}
    </FoldedSection>
  );
}
