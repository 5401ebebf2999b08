import { Injectable } from '@nestjs/common';
import { surveySent, type DataOf, type TenantContext } from '@tandem/contracts';
import { Consumes } from '@tandem/messaging';
import type { TicketsTx } from '../schema';
import { saveSentSurvey } from './survey.store';

/** Records which tickets' surveys were sent, for the list's filter and the histories of tickets. */
@Injectable()
export class SentSurveys {
  @Consumes(surveySent, { name: 'sent-surveys', from: 'beginning' })
  onSent({ organization_id }: TenantContext, data: DataOf<typeof surveySent>, tx: TicketsTx): Promise<void> {
    return saveSentSurvey(tx, { organization_id, ...data });
  }
}
