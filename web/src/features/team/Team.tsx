import type { Invitation, Member } from '@tandem/contracts';
import { lazy, Suspense, useId } from 'react';
import { useListMembersQuery } from '../../app/api';
import { t } from '../../lib/staff-texts';
import { Card, CardHeader } from '../../ui/Card';
import { ErrorNote } from '../../ui/ErrorNote';
import { Skeleton } from '../../ui/Skeleton';
import { InvitationRow } from './InvitationRow';
import { MemberRow } from './MemberRow';
import { useListInvitationsQuery } from './team.api';

/** Below the list of members, which does not wait for it. */
const InviteForm = lazy(() => import('./InviteForm').then((module) => ({ default: module.InviteForm })));

function RowsSkeleton({ rows }: { rows: number }) {
  return (
    <div aria-busy className="divide-y">
      <span className="sr-only">{t('team.loading')}</span>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} aria-hidden className="flex items-center gap-3 px-4 py-3">
          <Skeleton className="size-8 rounded-full" />
          <div className="flex-1">
            <Skeleton className="h-4 w-40 max-w-full" />
            <Skeleton className="mt-1.5 h-3 w-56 max-w-full" />
          </div>
          <Skeleton className="h-8 w-32 max-sm:hidden" />
        </div>
      ))}
    </div>
  );
}

function Members({ members }: { members: Member[] | undefined }) {
  const id = useId();
  return (
    <Card aria-labelledby={id}>
      <CardHeader
        id={id}
        title={t('team.team_members')}
        actions={members && <span className="tabular text-xs text-muted">{members.length}</span>}
      />
      {members ? (
        <ul aria-labelledby={id} className="divide-y">
          {members.map((member) => (
            <MemberRow key={member.user_id} member={member} />
          ))}
        </ul>
      ) : (
        <RowsSkeleton rows={3} />
      )}
    </Card>
  );
}

function Invitations({ invitations }: { invitations: Invitation[] | undefined }) {
  const id = useId();
  return (
    <Card aria-labelledby={id}>
      <CardHeader id={id} title={t('team.pending_invitations')} />
      {!invitations && <RowsSkeleton rows={1} />}
      {invitations?.length === 0 && <p className="p-4 text-muted">{t('team.no_pending_invitations')}</p>}
      {invitations && invitations.length > 0 && (
        <ul aria-labelledby={id} className="divide-y">
          {invitations.map((invitation) => (
            <InvitationRow key={invitation.id} invitation={invitation} />
          ))}
        </ul>
      )}
    </Card>
  );
}

/** Members, pending invitations, and the invitation form. */
export function Team() {
  const members = useListMembersQuery();
  const invitations = useListInvitationsQuery();
  const missing = [members, invitations].filter(({ data, isError }) => isError && !data);
  if (missing.length > 0) {
    const retry = () => missing.forEach(({ refetch }) => void refetch());
    return (
      <Card>
        <ErrorNote title={t('team.failed_to_load_team_data')} onRetry={retry} busy={missing.some(({ isFetching }) => isFetching)} />
      </Card>
    );
  }
  return (
    <>
      <Members members={members.data} />
      <div className="flex flex-col gap-5 after-skeletons">
        <Suspense fallback={<Skeleton className="h-72" />}>
          <InviteForm />
        </Suspense>
        <div className="after-skeletons">
          <Invitations invitations={invitations.data} />
        </div>
      </div>
    </>
  );
}
