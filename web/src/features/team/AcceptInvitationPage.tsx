import type { OfferedInvitation, Session } from '@tandem/contracts';
import { MailOpen, MailX } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useDispatch } from 'react-redux';
import { Link, Navigate, useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import { api, useReadSessionQuery, useSignOutMutation } from '../../app/api';
import { ErrorPage } from '../../app/ErrorPage';
import { postToTabs } from '../../app/session-channel';
import { recordSessionEnd } from '../../app/session-end';
import type { AppDispatch } from '../../app/store';
import { formatDate } from '../../lib/dates';
import { notify } from '../../lib/notify';
import { isProblem, messageOf } from '../../lib/problem';
import { roleTexts } from '../../lib/roles';
import { t } from '../../lib/staff-texts';
import { Alert } from '../../ui/Alert';
import { Button } from '../../ui/Button';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { ErrorNote } from '../../ui/ErrorNote';
import { useDocumentTitle } from '../../ui/PageHeader';
import { BlankPage } from '../../ui/BlankPage';
import { FirstSkeleton } from '../../ui/PageSkeletons';
import { Rich } from '../../ui/Rich';
import { Skeletons } from '../../ui/Skeleton';
import { useAcceptInvitationMutation, useDeclineInvitationMutation, useReadInvitationQuery } from './team.api';

function InvalidInvitation({ message }: { message: string }) {
  return (
    <div role="alert" className="flex flex-col items-center text-center">
      <span className="mb-4 grid size-10 place-items-center rounded-lg bg-red-soft text-red-text">
        <MailX className="size-5" aria-hidden />
      </span>
      <h1 className="text-lg font-semibold">{t('team.invalid_invitation')}</h1>
      <p className="mt-1 text-muted">{message}</p>
      <Button asChild className="mt-5">
        <Link to="/">{t('team.back_to_home')}</Link>
      </Button>
    </div>
  );
}

const isOver = (error: unknown) => isProblem(error) && error.status === 401;

/** Shown if a user other than the invited one is signed in. */
function OtherAddress({ invited, signedIn, onLeave }: { invited: string; signedIn: string; onLeave: () => void }) {
  const [signOut, { isLoading }] = useSignOutMutation();
  const dispatch = useDispatch<AppDispatch>();
  const leave = async () => {
    const { error } = await signOut();
    if (error && !isOver(error)) return notify.problem(error, t('team.failed_to_sign_out'));
    onLeave();
    recordSessionEnd({ reason: 'signed_out' });
    // The page sees that no user is signed in, and redirects to the sign-in and back.
    dispatch(api.util.resetApiState());
    postToTabs({ type: 'ended', reason: 'signed_out' });
  };
  return (
    <>
      <Alert>
        <Rich
          text={t('team.invitation_is_for_other_address')}
          tags={{
            invited: () => <b className="font-semibold wrap-anywhere">{invited}</b>,
            signedIn: () => <b className="font-semibold wrap-anywhere">{signedIn}</b>,
          }}
        />
      </Alert>
      <Button variant="primary" size="lg" busy={isLoading} onClick={() => void leave()}>
        {t('team.sign_out_and_use_other')}
      </Button>
    </>
  );
}

function AlreadyAtHome({ organization }: { organization: string | undefined }) {
  return (
    <>
      <Alert>
        {organization
          ? t('team.account_belongs_to_other_organization', { organization })
          : t('team.your_account_already_belongs_to_organization')}
      </Alert>
      <Button asChild size="lg">
        <Link to="/dashboard">{t('team.go_to_your_dashboard')}</Link>
      </Button>
    </>
  );
}

function Decide({ token }: { token: string }) {
  const navigate = useNavigate();
  const { refetch } = useReadSessionQuery();
  const [accept] = useAcceptInvitationMutation();
  const [decline, declining] = useDeclineInvitationMutation();
  const [isJoining, setJoining] = useState(false);
  const [asking, setAsking] = useState(false);
  const join = async () => {
    setJoining(true);
    const { error } = await accept(token);
    if (error) {
      setJoining(false);
      return notify.problem(error, t('team.failed_to_accept_invitation'));
    }
    notify.success(t('team.welcome_to_team'));
    // The session must include the organization first, otherwise the dashboard's guard would redirect to the onboarding.
    await refetch();
    await navigate('/dashboard', { replace: true });
  };
  const refuse = async () => {
    const { error } = await decline(token);
    setAsking(false);
    if (error) notify.problem(error, t('team.failed_to_decline_invitation'));
    else await navigate('/', { replace: true });
  };
  return (
    <>
      <div className="flex gap-2 max-sm:flex-col-reverse">
        <Button size="lg" className="sm:flex-1" disabled={isJoining} onClick={() => setAsking(true)}>
          {t('team.decline')}
        </Button>
        <Button size="lg" variant="primary" className="sm:flex-1" busy={isJoining} onClick={() => void join()}>
          {t('team.accept')}
        </Button>
      </div>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={t('team.decline_this_invitation')}
        description={t('team.what_declining_does')}
        action={t('team.decline_invitation')}
        busy={declining.isLoading}
        onConfirm={() => void refuse()}
      />
    </>
  );
}

function Offer({ invitation, children }: { invitation: OfferedInvitation; children: ReactNode }) {
  const { name, description } = roleTexts[invitation.role];
  return (
    <div className="flex flex-col gap-5">
      <div>
        <span className="mb-4 grid size-10 place-items-center rounded-lg bg-accent-soft text-accent-text">
          <MailOpen className="size-5" aria-hidden />
        </span>
        <h1 className="text-lg font-semibold text-balance">
          {t('team.join_organization_name', { organization_name: invitation.organization_name })}
        </h1>
        <p className="mt-1 text-muted">{t('team.what_invitation_is_for')}</p>
      </div>
      <dl className="flex flex-col gap-3 rounded-md border bg-sunken p-3">
        <div>
          <dt className="text-xs text-muted">{t('team.organization')}</dt>
          <dd className="font-medium">{invitation.organization_name}</dd>
        </div>
        <div>
          <dt className="text-xs text-muted">{t('team.your_role')}</dt>
          <dd className="font-medium">{name}</dd>
          <dd className="text-muted">{description}</dd>
        </div>
        <div>
          <dt className="text-xs text-muted">{t('team.valid_until')}</dt>
          <dd>{formatDate(invitation.expires_at)}</dd>
        </div>
      </dl>
      {children}
    </div>
  );
}

function Invitation({ token, session, onLeave }: { token: string; session: Session; onLeave: (invited: string) => void }) {
  const { data: invitation, error, isFetching, refetch } = useReadInvitationQuery(token);
  // Remember the membership from before: a user who already has an organization cannot accept, but one who accepts gets one immediately.
  const [wasAtHome] = useState(session.profile.organization_id !== null);
  if (!invitation) {
    const isRefused = isProblem(error) && error.status >= 400 && error.status < 500 && error.status !== 429;
    if (isRefused) return <InvalidInvitation message={messageOf(error, t('team.invitation_not_found_or_expired'))} />;
    if (error)
      return (
        <ErrorNote
          title={t('team.failed_to_load_invitation')}
          detail={messageOf(error, '')}
          onRetry={() => void refetch()}
          busy={isFetching}
        />
      );
    return <Skeletons className="flex flex-col gap-5" blocks={['size-10 rounded-lg', 'h-11', 'h-46', 'h-10']} />;
  }
  const { email } = session.profile;
  const isOther = email.toLowerCase() !== invitation.email.toLowerCase();
  return (
    <Offer invitation={invitation}>
      {isOther && <OtherAddress invited={invitation.email} signedIn={email} onLeave={() => onLeave(invitation.email)} />}
      {!isOther && wasAtHome && <AlreadyAtHome organization={session.organization?.name} />}
      {!isOther && !wasAtHome && <Decide token={token} />}
    </Offer>
  );
}

/** Address of the sign-in page, with this page as the destination afterwards. */
const signInPage = (here: string, email: string) =>
  `/auth?${new URLSearchParams({ redirect: here, ...(email ? { email } : {}) }).toString()}`;

/** Target of the emailed link. It only acts on a click: mail scanners that merely fetch the link do not use it up. */
export function AcceptInvitationPage() {
  useDocumentTitle(t('team.invitation'));
  const [search] = useSearchParams();
  const location = useLocation();
  const token = search.get('token')?.trim();
  const [leavingFor, setLeavingFor] = useState('');
  const { data: session, error, isLoading, refetch } = useReadSessionQuery();
  if (!token) {
    return (
      <BlankPage>
        <InvalidInvitation message={t('team.invalid_invitation_link')} />
      </BlankPage>
    );
  }
  if (isLoading) return <FirstSkeleton />;
  if (isOver(error)) return <Navigate to={signInPage(`${location.pathname}${location.search}`, leavingFor)} replace />;
  if (!session) return error ? <ErrorPage onRetry={() => void refetch()} /> : <FirstSkeleton />;
  return (
    <BlankPage>
      <Invitation token={token} session={session} onLeave={setLeavingFor} />
    </BlankPage>
  );
}
