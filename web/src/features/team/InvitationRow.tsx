import type { Invitation } from '@tandem/contracts';
import { Send, X } from 'lucide-react';
import { useState } from 'react';
import { notify } from '../../lib/notify';
import { useNow } from '../../lib/now';
import { roleTexts } from '../../lib/roles';
import { t } from '../../lib/staff-texts';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { Rich } from '../../ui/Rich';
import { Time } from '../../ui/Time';
import { useCancelInvitationMutation, useResendInvitationMutation } from './team.api';

/** A pending invitation that has expired is shown as Expired. */
export function InvitationRow({ invitation }: { invitation: Invitation }) {
  const { id, email, role, created_at, expires_at } = invitation;
  const now = useNow();
  const [asking, setAsking] = useState(false);
  const [resend, { isLoading }] = useResendInvitationMutation();
  const [cancel] = useCancelInvitationMutation();
  const isExpired = new Date(expires_at).getTime() <= now;
  const sendAgain = async () => {
    const { error } = await resend(id);
    if (error) notify.problem(error, t('team.failed_to_send_invitation'));
    else notify.success(t('team.invitation_sent'), t('team.new_link_was_sent', { email }));
  };
  const withdraw = async () => {
    setAsking(false);
    const { error } = await cancel(id);
    if (error) notify.problem(error, t('team.failed_to_cancel_invitation'));
    else notify.success(t('team.invitation_cancelled'));
  };
  return (
    <li className="flex items-center gap-x-4 gap-y-2 px-4 py-3 max-md:flex-wrap">
      <div className="min-w-0 flex-1 max-md:basis-full">
        <p className="flex flex-wrap items-center gap-1.5">
          <span className="max-w-full truncate font-medium" title={email}>
            {email}
          </span>
          <Badge tone="plain">{roleTexts[role].name}</Badge>
          {isExpired && <Badge tone="amber">{t('team.expired')}</Badge>}
        </p>
        <p className="text-xs text-muted">
          <Rich text={t('team.sent')} tags={{ time: () => <Time iso={created_at} /> }} />
          <span aria-hidden> · </span>
          <Rich text={isExpired ? t('team.expired_on') : t('team.expires')} tags={{ time: () => <Time iso={expires_at} /> }} />
        </p>
      </div>
      <div className="flex shrink-0 gap-2">
        <Button size="sm" busy={isLoading} aria-label={t('team.resend_invitation_to_email', { email })} onClick={() => void sendAgain()}>
          {!isLoading && <Send aria-hidden />}
          {t('team.resend')}
        </Button>
        <Button size="sm" variant="ghost" aria-label={t('team.cancel_invitation_to_email', { email })} onClick={() => setAsking(true)}>
          <X aria-hidden />
          {t('team.cancel')}
        </Button>
      </div>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={t('team.cancel_this_invitation')}
        description={t('team.link_we_emailed_to_email', { email })}
        action={t('team.cancel_invitation')}
        keep={t('team.keep_invitation')}
        onConfirm={() => void withdraw()}
      />
    </li>
  );
}
