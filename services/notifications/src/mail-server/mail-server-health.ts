import { mailServerChanged, type Context, type DataOf, type TenantContext } from '@tandem/contracts';
import { emit } from '@tandem/messaging';
import type { ComposeInput } from '../email/compose';
import type { Email } from '../email/email.store';
import { dueWarning, mayWait, retrySeconds } from './mail-server';
import { MailServerFailed } from './mail-server-failure';
import {
  findForFailure,
  markWorking,
  mayTryServer,
  postponeEmail,
  recordFailure,
  releaseEmails,
  type MailServerRow,
  type MailServerTx,
} from './mail-server.store';
import { MailServerBusy } from './own-mail-server';

/** How long an email waits for a free connection. */
const busySeconds = 5;

export const announceMailServer = (
  tx: MailServerTx,
  ctx: Context,
  what: DataOf<typeof mailServerChanged>['what'],
  { organization_id, host, from_address }: Pick<MailServerRow, 'organization_id' | 'host' | 'from_address'>,
  failure: DataOf<typeof mailServerChanged>['failure'] = null,
): Promise<void> => emit(tx, ctx, mailServerChanged, organization_id, { what, host, from_address, failure });

/**
 * Whether a claimed email tries its server now. If the server is failing and another email is testing it, the email is postponed; once it has
 * waited too long it is given up, and stays claimed until that is stored: two workers would otherwise both report it.
 */
export async function nextStep(
  tx: MailServerTx,
  ctx: TenantContext,
  email: Email,
  { organization }: ComposeInput,
): Promise<'try' | 'wait' | 'give_up'> {
  if (organization?.server_failing_since == null || (await mayTryServer(tx, ctx.organization_id))) return 'try';
  if (!mayWait(email.created_at)) return 'give_up';
  await postponeEmail(tx, email.id, {});
  return 'wait';
}

/**
 * Postpones an email that the organization's own server did not accept, if the failure concerns every email: it never goes out through
 * another server, because it would then come from an address that the organization did not choose. Admins are warned after an hour and a day.
 */
export async function waitForServer(
  tx: MailServerTx,
  ctx: TenantContext,
  email: Email,
  { organization }: ComposeInput,
  error: unknown,
): Promise<boolean> {
  if (error instanceof MailServerBusy) {
    await postponeEmail(tx, email.id, { seconds: busySeconds });
    return true;
  }
  if (!(error instanceof MailServerFailed) || organization?.server_tested_at == null) return false;
  const { organization_id } = ctx;
  const server = await findForFailure(tx, organization_id, organization.server_tested_at);
  if (server) {
    const since = server.failing_since ?? new Date().toISOString();
    const failingMs = Date.now() - Date.parse(since);
    const warning = dueWarning(failingMs, server.warned_hours);
    const warned_hours = warning ?? server.warned_hours;
    await recordFailure(tx, organization_id, { error: error.message, retrySeconds: retrySeconds(failingMs), warned_hours });
    if (warning !== undefined) await announceMailServer(tx, ctx, 'failing', server, { since, error: error.message });
  }
  if (!mayWait(email.created_at)) return false;
  await postponeEmail(tx, email.id, { error: error.message });
  return true;
}

/** A failing server accepted an email: those that waited for it are sent now. */
export async function mailServerWorks(tx: MailServerTx, ctx: TenantContext): Promise<void> {
  const server = await markWorking(tx, ctx.organization_id);
  if (!server) return;
  await releaseEmails(tx, ctx.organization_id);
  // Without a warning there is nothing to correct in the audit log.
  if (server.has_warned) await announceMailServer(tx, ctx, 'recovered', server);
}
