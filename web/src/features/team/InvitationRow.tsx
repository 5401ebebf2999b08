import type { Invitation } from '@tandem/contracts';
import { Send, X } from 'lucide-react';
import { useState } from 'react';
import { notify } from '../../lib/notify';
import { useNow } from '../../lib/now';
import { roleTexts } from '../../lib/roles';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
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
    if (error) notify.problem(error, 'Failed to send invitation');
    else notify.success('Invitation sent!', `A new link is on its way to ${email}.`);
  };
  const withdraw = async () => {
    setAsking(false);
    const { error } = await cancel(id);
    if (error) notify.problem(error, 'Failed to cancel invitation');
    else notify.success('Invitation cancelled');
  };
  return (
    <li className="flex items-center gap-x-4 gap-y-2 px-4 py-3 max-md:flex-wrap">
      <div className="min-w-0 flex-1 max-md:basis-full">
        <p className="flex flex-wrap items-center gap-1.5">
          <span className="max-w-full truncate font-medium" title={email}>
            {email}
          </span>
          <Badge tone="plain">{roleTexts[role].name}</Badge>
          {isExpired && <Badge tone="amber">Expired</Badge>}
        </p>
        <p className="text-xs text-muted">
          Sent <Time iso={created_at} />
          <span aria-hidden> · </span>
          {isExpired ? 'Expired ' : 'Expires '}
          <Time iso={expires_at} />
        </p>
      </div>
      <div className="flex shrink-0 gap-2">
        <Button size="sm" busy={isLoading} aria-label={`Resend the invitation to ${email}`} onClick={() => void sendAgain()}>
          {!isLoading && <Send aria-hidden />}
          Resend
        </Button>
        <Button size="sm" variant="ghost" aria-label={`Cancel the invitation to ${email}`} onClick={() => setAsking(true)}>
          <X aria-hidden />
          Cancel
        </Button>
      </div>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Cancel this invitation?"
        description={`The link we emailed to ${email} stops working.`}
        action="Cancel invitation"
        keep="Keep invitation"
        onConfirm={() => void withdraw()}
      />
    </li>
  );
}
