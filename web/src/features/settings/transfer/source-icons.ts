import type { ImportSource } from '@tandem/contracts/values';
import { FileArchive, FileSpreadsheet, Inbox, LifeBuoy, MessagesSquare, PackageOpen, Ticket, type LucideIcon } from 'lucide-react';

/** Icons of what a source contains, not the logos of other companies. */
export const sourceIcons: Record<ImportSource, LucideIcon> = {
  csv: FileSpreadsheet,
  tandem: PackageOpen,
  zendesk: LifeBuoy,
  freshdesk: FileArchive,
  help_scout: Inbox,
  chatwoot: MessagesSquare,
  zammad: Ticket,
};
