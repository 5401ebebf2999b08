import { readUnsentEmails, type OutputOf } from '@tandem/contracts';
import { Database } from '@tandem/db';
import { Handles } from '@tandem/messaging';
import { Controller } from '@nestjs/common';
import type { NotificationsSchema } from '../schema';
import { countUnsentAcrossOrganizations } from './email.metrics';

/** The part of the operators page that notifications provides. */
@Controller()
export class UnsentEmailService {
  constructor(private readonly db: Database<NotificationsSchema>) {}

  @Handles(readUnsentEmails)
  read(): Promise<OutputOf<typeof readUnsentEmails>> {
    return this.db.asSystem('unsent emails, for an operator', countUnsentAcrossOrganizations);
  }
}
