import type { EmailProof } from '@tandem/contracts';
import { isDisowned, isSenderUnproven } from '@tandem/contracts/values';
import { ShieldAlert, ShieldQuestion } from 'lucide-react';
import { checksText } from '../../../lib/sender-checks';
import { Badge } from '../../../ui/Badge';

/** Warns staff before they act on an email whose sender may be someone else. */
export function SenderWarning({ proof }: { proof: EmailProof }) {
  const isForged = isDisowned(proof.checks);
  if (!isForged && !isSenderUnproven(proof)) return null;
  return (
    <p className="mb-1.5 flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-muted">
      {isForged ? (
        <Badge tone="red" title="This email failed the DMARC check of its domain. Check with the customer before you act on it.">
          <ShieldAlert aria-hidden />
          Sender may be forged
        </Badge>
      ) : (
        <Badge tone="amber" title="Only the ticket number in the subject matched, and anyone can guess it.">
          <ShieldQuestion aria-hidden />
          Sent without proof of the sender
        </Badge>
      )}
      {checksText(proof.checks)}
    </p>
  );
}
