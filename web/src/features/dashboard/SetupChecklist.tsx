import { Check, ChevronRight, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { useListMembersQuery, useReadTaskToolConnectionsQuery, useSession } from '../../app/api';
import { usePortal } from '../../app/use-portal';
import { cn } from '../../lib/cn';
import { t } from '../../lib/staff-texts';
import { portalOpenedKey, storage, widgetCopiedKey } from '../../lib/storage';
import { Button } from '../../ui/Button';
import { Card, CardHeader } from '../../ui/Card';
import { Skeleton } from '../../ui/Skeleton';
import { usePendingInvitationsQuery, usePoliciesQuery, useReadTicketStatsQuery, useWidgetSitesQuery } from './dashboard.api';

interface Step {
  title: string;
  text: string;
  to: string;
  /** Undefined while unknown. */
  isDone: boolean | undefined;
  isElsewhere?: boolean;
  onOpen?: () => void;
}

/** The setup steps that the user's role can do, in the order in which they make sense. */
function useSteps(): Step[] {
  const { profile, organization } = useSession();
  const isAdmin = profile.role === 'admin';
  const organizationId = organization?.id ?? '';
  const { data: members } = useListMembersQuery(undefined, { skip: !isAdmin });
  const { data: invitations, isError: invitationsUnknown } = usePendingInvitationsQuery(undefined, { skip: !isAdmin });
  const { data: widget, isError: widgetUnknown } = useWidgetSitesQuery(undefined, { skip: !isAdmin });
  const { data: policies } = usePoliciesQuery(undefined, { skip: !isAdmin });
  const { data: connections, isError: unknown } = useReadTaskToolConnectionsQuery(undefined, { skip: !isAdmin });
  const { data: stats } = useReadTicketStatsQuery();
  const portal = usePortal();
  const portalKey = portalOpenedKey(organizationId);
  const [isPortalOpened, setIsPortalOpened] = useState(() => storage.get(portalKey) !== null);
  const openPortal = portal && {
    title: t('dashboard.open_your_portal'),
    text: t('dashboard.what_portal_is'),
    to: portal,
    isDone: isPortalOpened || (stats && stats.total > 0),
    isElsewhere: true,
    onOpen: () => {
      storage.set(portalKey, 'yes');
      setIsPortalOpened(true);
    },
  };
  const forAdmins: Step[] = [
    {
      title: t('dashboard.connect_task_tool'),
      text: t('dashboard.what_task_tool_does'),
      to: '/integration',
      // If the connections cannot be read, show the other steps anyway.
      isDone: unknown && !connections ? false : connections && connections.length > 0,
    },
    {
      title: t('dashboard.invite_teammate'),
      text: t('dashboard.bring_in_teammate'),
      to: '/organization-settings',
      isDone: members && (invitations ?? (invitationsUnknown && [])) && members.length + (invitations?.length ?? 0) > 1,
    },
    {
      title: t('dashboard.add_widget'),
      text: t('dashboard.what_widget_does'),
      to: '/settings?tab=embed',
      // Done if a site was allowed, or if the code was copied in this browser.
      isDone: widgetUnknown ? false : widget && (widget.allowed_sites.length > 0 || storage.get(widgetCopiedKey(organizationId)) !== null),
    },
    {
      title: t('dashboard.set_business_hours_and_slas'),
      text: t('dashboard.what_slas_do'),
      to: '/settings?tab=sla',
      isDone: policies && policies.length > 0,
    },
  ];
  const test = portal && {
    title: t('dashboard.send_test_ticket'),
    text: t('dashboard.what_test_ticket_is'),
    to: `${portal}/submit-ticket`,
    isDone: stats && stats.total > 0,
    isElsewhere: true,
  };
  return [...(isAdmin && openPortal ? [openPortal] : []), ...(test ? [test] : []), ...(isAdmin ? forAdmins : [])];
}

function StepRow({ step }: { step: Step }) {
  const face = (
    <>
      <span
        className={cn(
          'grid size-5 shrink-0 place-items-center rounded-full border',
          step.isDone ? 'border-transparent bg-accent text-accent-ink' : 'border-line-strong',
        )}
      >
        {step.isDone && <Check className="size-3" aria-hidden />}
      </span>
      <span className="min-w-0 flex-1">
        <span className={cn('block', step.isDone ? 'text-muted' : 'font-medium')}>{step.title}</span>
        {!step.isDone && <span className="block text-xs text-muted">{step.text}</span>}
      </span>
      {step.isDone ? <span className="sr-only">{t('dashboard.done')}</span> : <ChevronRight className="size-3.5 text-faint" aria-hidden />}
    </>
  );
  const classes = 'flex min-h-13 items-center gap-3 rounded-md px-2.5 py-2';
  const active = cn(classes, 'transition-colors hover:bg-hover');
  if (step.isDone) return <div className={classes}>{face}</div>;
  if (!step.isElsewhere) {
    return (
      <Link to={step.to} className={active}>
        {face}
      </Link>
    );
  }
  return (
    <a href={step.to} target="_blank" rel="noreferrer" onClick={step.onOpen} className={active}>
      {face}
    </a>
  );
}

const grid = 'grid p-1.5 sm:grid-cols-2';

/** As high as the steps, so that the page below does not move. */
const StepsSkeleton = ({ count }: { count: number }) => (
  <div aria-hidden className="rounded-lg border bg-surface">
    <div className="flex h-11 items-center border-b px-4">
      <Skeleton className="h-4 w-24" />
    </div>
    <div className={grid}>
      {Array.from({ length: count }, (_, step) => (
        <div key={step} className="flex h-13 items-center px-2.5">
          <Skeleton className="h-5 w-2/3" />
        </div>
      ))}
    </div>
  </div>
);

/** Setup steps for a new organization. Permanently hidden when all are done or the user has dismissed it. */
export function SetupChecklist() {
  const { organization, profile } = useSession();
  const remembered = `setup-dismissed:${organization?.id}:${profile.user_id}`;
  const [isDismissed, setIsDismissed] = useState(() => storage.get(remembered) !== null);
  const steps = useSteps();
  const isKnown = steps.every(({ isDone }) => isDone !== undefined);
  const done = steps.filter(({ isDone }) => isDone).length;
  const isDone = isKnown && done === steps.length;
  useEffect(() => {
    if (isDone) storage.set(remembered, 'yes');
  }, [isDone, remembered]);
  if (isDismissed || isDone) return null;
  if (!isKnown) return <StepsSkeleton count={steps.length} />;
  const dismiss = () => {
    storage.set(remembered, 'yes');
    setIsDismissed(true);
  };
  return (
    <Card aria-labelledby="setup">
      <CardHeader
        id="setup"
        title={t('dashboard.get_started')}
        actions={
          <span className="flex items-center gap-2">
            <span className="tabular text-xs text-muted">{t('dashboard.done_of_count', { done, count: steps.length })}</span>
            <Button variant="ghost" size="icon-sm" aria-label={t('dashboard.dismiss_set_up_checklist')} onClick={dismiss}>
              <X aria-hidden />
            </Button>
          </span>
        }
      />
      <ol className={grid}>
        {steps.map((step) => (
          <li key={step.title}>
            <StepRow step={step} />
          </li>
        ))}
      </ol>
    </Card>
  );
}
