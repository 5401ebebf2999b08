import { ArrowLeft, Link2, Lightbulb } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { notify } from '../../../lib/notify';
import { removeSampleTicket } from '../../../lib/sample-ticket';
import { t } from '../../../lib/staff-texts';
import { PriorityMark, StatusMark } from '../../../lib/ticket-badges';
import { Avatar } from '../../../ui/Avatar';
import { Badge } from '../../../ui/Badge';
import { Button } from '../../../ui/Button';
import { PageHeader } from '../../../ui/PageHeader';
import { Rich } from '../../../ui/Rich';
import { Message } from '../conversation/Message';
import { Section } from '../panel/Section';

/** Explains a part of the ticket. */
const Tip = ({ children }: { children: ReactNode }) => (
  <p className="flex gap-2 rounded-md border border-dashed border-line-strong p-2.5 text-xs text-pretty text-muted">
    <Lightbulb className="mt-px size-3.5 shrink-0 text-accent-text" aria-hidden />
    <span>{children}</span>
  </p>
);

const EventLine = ({ children }: { children: ReactNode }) => <li className="pl-11 text-xs text-muted max-md:pl-8">{children}</li>;
const TipLine = ({ children }: { children: ReactNode }) => (
  <li className="pl-11 max-md:pl-8">
    <Tip>{children}</Tip>
  </li>
);

const minute = 60_000;

function Conversation() {
  const [now] = useState(Date.now);
  const ago = (minutes: number) => new Date(now - minutes * minute).toISOString();
  return (
    <ol className="flex flex-col gap-4" aria-label={t('tickets.sample.conversation')}>
      <Message kind="customer" author={t('tickets.sample.jonas_weber')} at={ago(95)} via={t('tickets.sample.via_email')}>
        <p>{t('tickets.sample.sample_message')}</p>
        <p className="mt-2">{t('tickets.sample.sample_question')}</p>
      </Message>
      <TipLine>{t('tickets.sample.explain_customers')}</TipLine>
      <EventLine>{t('tickets.sample.priya_raman_took_this_ticket')}</EventLine>
      <Message kind="internal" author={t('tickets.sample.priya_raman')} at={ago(60)}>
        <p>{t('tickets.sample.sample_note')}</p>
      </Message>
      <TipLine>{t('tickets.sample.explain_notes')}</TipLine>
      <EventLine>{t('tickets.sample.created_task_in_roastery')}</EventLine>
      <Message kind="staff" author={t('tickets.sample.priya_raman')} at={ago(40)}>
        <p>{t('tickets.sample.sample_reply')}</p>
      </Message>
      <TipLine>{t('tickets.sample.explain_replies')}</TipLine>
      <EventLine>{t('tickets.sample.sample_status_change')}</EventLine>
    </ol>
  );
}

function Panel() {
  return (
    <aside
      aria-label={t('tickets.sample.details')}
      className="shrink-0 border-l max-lg:border-t max-lg:border-l-0 lg:w-80 lg:overflow-y-auto"
    >
      <Section title={t('tickets.sample.customer')}>
        <p className="font-medium">{t('tickets.sample.jonas_weber')}</p>
        <p className="text-muted">{t('tickets.sample.jonas_example_com')}</p>
      </Section>
      <Section title={t('tickets.sample.status_priority_and_assignee')}>
        <ul className="flex flex-col gap-2">
          <li className="flex items-center gap-2">
            <StatusMark status="waiting_for_customer" />
            {t('tickets.sample.waiting_for_customer')}
          </li>
          <li className="flex items-center gap-2">
            <PriorityMark priority="high" />
            {t('tickets.sample.high')}
          </li>
          <li className="flex items-center gap-2">
            <Avatar name="Priya Raman" size="xs" />
            {t('tickets.sample.priya_raman')}
          </li>
        </ul>
        <div className="mt-3">
          <Tip>{t('tickets.sample.explain_properties')}</Tip>
        </div>
      </Section>
      <Section title={t('tickets.sample.sla')}>
        <p>{t('tickets.sample.first_response_met')}</p>
        <p className="text-muted">{t('tickets.sample.resolution_is_paused')}</p>
        <div className="mt-3">
          <Tip>{t('tickets.sample.explain_sla')}</Tip>
        </div>
      </Section>
      <Section title={t('tickets.sample.task')}>
        <p className="flex items-center gap-2">
          <Link2 className="size-3.5 text-muted" aria-hidden />
          {t('tickets.sample.replace_order_with_whole_beans')}
        </p>
        <p className="mt-1 flex items-center gap-2 text-muted">{t('tickets.sample.in_progress_marek_lindqvist')}</p>
        <div className="mt-3">
          <Tip>{t('tickets.sample.explain_task')}</Tip>
        </div>
      </Section>
    </aside>
  );
}

/** A ticket that explains the app. It exists only in this page: it is not stored, listed, counted or sent. */
export function SampleTicketPage() {
  const navigate = useNavigate();
  const remove = () => {
    removeSampleTicket();
    notify.success(t('tickets.sample.sample_ticket_removed'));
    void navigate('/tickets', { replace: true });
  };
  return (
    <>
      <PageHeader
        title={t('tickets.sample.sample_ticket')}
        before={
          <Button asChild variant="ghost" size="icon">
            <Link to="/tickets" aria-label={t('tickets.sample.back_to_tickets')}>
              <ArrowLeft aria-hidden />
            </Link>
          </Button>
        }
        actions={
          <Button onClick={remove} aria-label={t('tickets.sample.remove_sample')}>
            <span>
              <Rich
                text={t('tickets.sample.remove_sample_button')}
                tags={{ span: (inside) => <span className="max-sm:hidden">{inside}</span> }}
              />
            </span>
          </Button>
        }
      />
      <div className="flex min-h-0 flex-1 max-lg:flex-col max-lg:overflow-y-auto">
        <div className="min-w-0 flex-1 p-6 max-md:p-4 lg:overflow-y-auto">
          <div className="mx-auto flex max-w-3xl flex-col gap-5">
            <div>
              <h2 className="text-lg font-semibold tracking-tight">{t('tickets.sample.order_arrived_with_wrong_grind')}</h2>
              <p className="mt-1 flex items-center gap-2 text-xs text-muted">
                <Badge tone="accent">{t('tickets.sample.sample')}</Badge>
                {t('tickets.sample.only_you_can_see_it')}
              </p>
            </div>
            <Conversation />
            <div>
              <Button asChild variant="primary">
                <Link to="/tickets/new">{t('tickets.sample.create_your_first_ticket')}</Link>
              </Button>
            </div>
          </div>
        </div>
        <Panel />
      </div>
    </>
  );
}
