import type { EmailProof } from '@tandem/contracts';
import { isDisowned, isSenderUnproven } from '@tandem/contracts/values';
import { ShieldAlert, ShieldQuestion } from 'lucide-react';
import { checksText } from '../../../lib/sender-checks';
import { t } from '../../../lib/staff-texts';
import { Badge } from '../../../ui/Badge';

/** Warns staff before they act on an email whose sender may be someone else. */
export function SenderWarning({ proof }: { proof: EmailProof }) {
  const isForged = isDisowned(proof.checks);
  if (!isForged && !isSenderUnproven(proof)) return null;
  return (
    <p className="mb-1.5 flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-muted">
      {isForged ? (
        <Badge tone="red" title={t('tickets.conversation.this_email_failed_dmarc_check')}>
          <ShieldAlert aria-hidden />
          {t('tickets.conversation.sender_may_be_forged')}
        </Badge>
      ) : (
        <Badge tone="amber" title={t('tickets.conversation.only_ticket_number_matched')}>
          <ShieldQuestion aria-hidden />
          {t('tickets.conversation.sent_without_proof_of_sender')}
        </Badge>
      )}
      {checksText(proof.checks)}
    </p>
  );
}
