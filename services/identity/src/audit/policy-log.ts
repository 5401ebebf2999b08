import { Injectable } from '@nestjs/common';
import {
  articleCategoryChanged,
  articleChanged,
  mailboxChanged,
  mailServerChanged,
  retentionChanged,
  customFieldChanged,
  erasureChanged,
  exportChanged,
  importChanged,
  importSourceNames,
  ruleChanged,
  senderDomainChanged,
  slaPolicyChanged,
  taskToolChanged,
  webhookEndpointChanged,
  type Context,
  type DataOf,
  type Envelope,
} from '@tandem/contracts';
import type { Tx } from '@tandem/db';
import { Consumes } from '@tandem/messaging';
import type { IdentityTables } from '../schema';
import { recordAudit } from './audit.store';

/** The actor and client address of an event; events from before addresses were recorded have no client. */
const origin = (actor: Envelope['actor'], client: Envelope['client']): Pick<Context, 'actor' | 'client'> =>
  client === undefined ? { actor } : { actor, client };

const countOf = (tickets: number): string => (tickets === 1 ? '1 ticket' : `${tickets} tickets`);

const types = { created: 'sla_policy.created', updated: 'sla_policy.updated', deleted: 'sla_policy.deleted' } as const;

/**
 * Logs changes that other services own: service-level policies, rules, custom fields, published articles and their categories, the mailbox,
 * the sender domain, the mail server, task tools, webhooks, imports, exports, erasures of customers and the retention of tickets.
 */
@Injectable()
export class PolicyLog {
  /** Consumes from the beginning, so that the log has no gaps. Changes by an API token have its name, but no user. */
  @Consumes(slaPolicyChanged, { name: 'sla-policy-audit', from: 'beginning' })
  async recordPolicyChange(
    ctx: Context,
    { what, policy, changes }: DataOf<typeof slaPolicyChanged>,
    tx: Tx<IdentityTables>,
    { actor, client }: Envelope,
  ): Promise<void> {
    await recordAudit(tx, origin(actor, client), {
      type: types[what],
      organization_id: ctx.organization_id,
      target: policy.name,
      ...(Object.keys(changes).length > 0 ? { changes } : {}),
    });
  }
  /** The reason of a failure is the target, because an export has no name. */
  @Consumes(exportChanged, { name: 'export-audit', from: 'beginning' })
  async recordExportChange(
    ctx: Context,
    { what, has_files, reason, is_of_customer }: DataOf<typeof exportChanged>,
    tx: Tx<IdentityTables>,
    { actor, client }: Envelope,
  ): Promise<void> {
    await recordAudit(tx, origin(actor, client), {
      type: `export.${what}`,
      organization_id: ctx.organization_id,
      target: reason ?? (is_of_customer ? 'Customer’s data' : has_files ? 'With files' : 'Without files'),
    });
  }
  /** The number of tickets is the target: neither the event nor the log has the customer's address. */
  @Consumes(erasureChanged, { name: 'erasure-audit', from: 'beginning' })
  async recordErasureChange(
    ctx: Context,
    { what, tickets }: DataOf<typeof erasureChanged>,
    tx: Tx<IdentityTables>,
    { actor, client }: Envelope,
  ): Promise<void> {
    await recordAudit(tx, origin(actor, client), {
      type: `erasure.${what}`,
      organization_id: ctx.organization_id,
      target: what === 'cancelled' ? null : countOf(tickets),
    });
  }

  @Consumes(retentionChanged, { name: 'retention-audit', from: 'beginning' })
  async recordRetentionChange(
    ctx: Context,
    { what, policy, tickets }: DataOf<typeof retentionChanged>,
    tx: Tx<IdentityTables>,
    { actor, client }: Envelope,
  ): Promise<void> {
    await recordAudit(tx, origin(actor, client), {
      type: `retention.${what}`,
      organization_id: ctx.organization_id,
      target:
        what === 'applied'
          ? `${countOf(tickets)} ${policy.action === 'anonymize' ? 'anonymized' : 'deleted'}`
          : policy.is_active
            ? `${policy.action === 'anonymize' ? 'Anonymize' : 'Delete'} after ${policy.months} ${policy.months === 1 ? 'month' : 'months'}`
            : 'Off',
    });
  }

  @Consumes(mailboxChanged, { name: 'mailbox-audit', from: 'beginning' })
  async recordMailboxChange(
    ctx: Context,
    { what, username, host }: DataOf<typeof mailboxChanged>,
    tx: Tx<IdentityTables>,
    { actor, client }: Envelope,
  ): Promise<void> {
    await recordAudit(tx, origin(actor, client), {
      type: `mailbox.${what}`,
      organization_id: ctx.organization_id,
      target: `${username} at ${host}`,
    });
  }

  @Consumes(senderDomainChanged, { name: 'sender-domain-audit', from: 'beginning' })
  async recordSenderDomainChange(
    ctx: Context,
    { what, domain }: DataOf<typeof senderDomainChanged>,
    tx: Tx<IdentityTables>,
    { actor, client }: Envelope,
  ): Promise<void> {
    await recordAudit(tx, origin(actor, client), {
      type: `sender_domain.${what}`,
      organization_id: ctx.organization_id,
      target: domain,
    });
  }

  @Consumes(mailServerChanged, { name: 'mail-server-audit', from: 'beginning' })
  async recordMailServerChange(
    ctx: Context,
    { what, host, from_address }: DataOf<typeof mailServerChanged>,
    tx: Tx<IdentityTables>,
    { actor, client }: Envelope,
  ): Promise<void> {
    await recordAudit(tx, origin(actor, client), {
      type: `mail_server.${what}`,
      organization_id: ctx.organization_id,
      target: `${from_address} through ${host}`,
    });
  }

  @Consumes(taskToolChanged, { name: 'task-tool-audit', from: 'beginning' })
  async recordTaskToolChange(
    ctx: Context,
    { what, target, changes }: DataOf<typeof taskToolChanged>,
    tx: Tx<IdentityTables>,
    { actor, client }: Envelope,
  ): Promise<void> {
    const changed = Object.keys(changes).length > 0 ? { changes } : {};
    await recordAudit(tx, origin(actor, client), { type: what, organization_id: ctx.organization_id, target, ...changed });
  }

  @Consumes(ruleChanged, { name: 'rule-audit', from: 'beginning' })
  async recordRuleChange(
    ctx: Context,
    { what, rule, changes }: DataOf<typeof ruleChanged>,
    tx: Tx<IdentityTables>,
    { actor, client }: Envelope,
  ): Promise<void> {
    const changed = Object.keys(changes).length > 0 ? { changes } : {};
    await recordAudit(tx, origin(actor, client), {
      type: `rule.${what}`,
      organization_id: ctx.organization_id,
      target: rule.name,
      ...changed,
    });
  }

  @Consumes(importChanged, { name: 'import-audit', from: 'beginning' })
  async recordImport(
    ctx: Context,
    { what, source, name, tickets }: DataOf<typeof importChanged>,
    tx: Tx<IdentityTables>,
    { actor, client }: Envelope,
  ): Promise<void> {
    const created = tickets > 0 ? { changes: { tickets: { from: null, to: tickets } } } : {};
    await recordAudit(tx, origin(actor, client), {
      type: `import.${what}`,
      organization_id: ctx.organization_id,
      target: name === importSourceNames[source] ? name : `${name} (${importSourceNames[source]})`,
      ...created,
    });
  }

  @Consumes(customFieldChanged, { name: 'custom-field-audit', from: 'beginning' })
  async recordCustomFieldChange(
    ctx: Context,
    { what, field, changes }: DataOf<typeof customFieldChanged>,
    tx: Tx<IdentityTables>,
    { actor, client }: Envelope,
  ): Promise<void> {
    const changed = Object.keys(changes).length > 0 ? { changes } : {};
    await recordAudit(tx, origin(actor, client), {
      type: `custom_field.${what}`,
      organization_id: ctx.organization_id,
      target: field.label,
      ...changed,
    });
  }

  @Consumes(articleChanged, { name: 'article-audit', from: 'beginning' })
  async recordArticleChange(
    ctx: Context,
    { what, article }: DataOf<typeof articleChanged>,
    tx: Tx<IdentityTables>,
    { actor, client }: Envelope,
  ): Promise<void> {
    await recordAudit(tx, origin(actor, client), {
      type: `article.${what}`,
      organization_id: ctx.organization_id,
      target: article.title,
    });
  }

  @Consumes(articleCategoryChanged, { name: 'article-category-audit', from: 'beginning' })
  async recordArticleCategoryChange(
    ctx: Context,
    { what, category, changes }: DataOf<typeof articleCategoryChanged>,
    tx: Tx<IdentityTables>,
    { actor, client }: Envelope,
  ): Promise<void> {
    const changed = Object.keys(changes).length > 0 ? { changes } : {};
    await recordAudit(tx, origin(actor, client), {
      type: `article_category.${what}`,
      organization_id: ctx.organization_id,
      target: category.name,
      ...changed,
    });
  }

  @Consumes(webhookEndpointChanged, { name: 'webhook-endpoint-audit', from: 'beginning' })
  async recordWebhookEndpointChange(
    ctx: Context,
    { what, endpoint, changes }: DataOf<typeof webhookEndpointChanged>,
    tx: Tx<IdentityTables>,
    { actor, client }: Envelope,
  ): Promise<void> {
    const changed = Object.keys(changes).length > 0 ? { changes } : {};
    await recordAudit(tx, origin(actor, client), {
      type: `webhook_endpoint.${what}`,
      organization_id: ctx.organization_id,
      target: endpoint.url,
      ...changed,
    });
  }
}
