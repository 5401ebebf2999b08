import { Controller } from '@nestjs/common';
import { listAssignees, type Assignee, type Context, type InputOf, type Page } from '@tandem/contracts';
import { Database } from '@tandem/db';
import { Handles } from '@tandem/messaging';
import type { TicketsSchema } from '../schema';
import { findAssignees } from './assignment.store';

/** The members to whom tickets can be assigned. Unlike identity's list of members, it has no roles and no settings. */
@Controller()
export class AssigneeService {
  constructor(private readonly db: Database<TicketsSchema>) {}

  @Handles(listAssignees)
  list(ctx: Context, { query }: InputOf<typeof listAssignees>): Promise<Page<Assignee>> {
    return this.db.forTenant(ctx, (tx) => findAssignees(tx, query));
  }
}
