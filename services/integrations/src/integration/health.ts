import { statusLabels, type IntegrationHealth } from '@tandem/contracts';
import type { ConnectionRow, IntegrationRow } from '../schema';
import { unmappedStatuses } from './mapping';

/** What its links say of an integration, counted. */
export interface LinkCounts {
  linked: number;
  /** Waiting for the other side. */
  pending: number;
  failed: number;
  stopped: number;
  /** When the first of them was due; null where none is pending. */
  due_since: string | null;
}
export const noLinks: LinkCounts = { linked: 0, pending: 0, failed: 0, stopped: 0, due_since: null };

/** A new integration has no webhook for a moment, and nobody needs to see to it. */
const webhookPatienceMs = 5 * 60_000;
const duePatienceMs = 2 * 60_000;
const manyPending = 100;

export interface Circumstances {
  integration: IntegrationRow;
  connection: Pick<ConnectionRow, 'state' | 'blocked_until' | 'block_reason' | 'connected_at'>;
  /** The tool's name, for people. */
  tool: string;
  counts: LinkCounts;
  now: string;
}
interface Health {
  health: IntegrationHealth;
  health_detail: string | null;
}

/** How an integration is doing, and what there is to do about it: the worst that is true. Nothing here is stored. */
export function healthOf(circumstances: Circumstances): Health {
  const broken = brokenBecause(circumstances);
  if (broken !== undefined) return { health: 'broken', health_detail: broken };
  const { integration, tool } = circumstances;
  if (!integration.is_active && integration.pause_reason === 'loop')
    return {
      health: 'attention',
      health_detail: `Tickets and tasks kept changing each other. See what else changes them in ${tool}, then resume.`,
    };
  if (!integration.is_active) return { health: 'paused', health_detail: null };
  const attention = needsAttention(circumstances);
  if (attention !== undefined) return { health: 'attention', health_detail: attention };
  const catchingUp = waitsFor(circumstances);
  if (catchingUp !== undefined) return { health: 'catching_up', health_detail: catchingUp };
  return { health: 'ok', health_detail: null };
}

function brokenBecause({ connection, integration, tool }: Circumstances): string | undefined {
  if (connection.state === 'broken' || integration.pause_reason === 'connection_broken')
    return `${tool} no longer accepts the connection. Connect it again: everything that waits then goes on.`;
  if (integration.pause_reason === 'list_gone')
    return `The list is gone from ${tool}, or the connection may no longer see it. Remove this integration, or resume it once the list is back.`;
  return undefined;
}

function needsAttention({ integration, connection, tool, counts, now }: Circumstances): string | undefined {
  const { failed, stopped } = counts;
  if (stopped > 0)
    return `${tickets(stopped)} and ${stopped === 1 ? 'its task' : 'their tasks'} kept changing each other and ${isOrAre(stopped)} no longer synced. The sync log names ${stopped === 1 ? 'it' : 'them'}; sync again from the ticket.`;
  if (failed > 0) return `${tickets(failed)} could not be brought to ${tool}. The sync log says why; sync again from the ticket.`;
  if (integration.webhook_state === 'suspended' || integration.webhook_state === 'failing')
    return `${tool} has trouble sending changes here. They are fetched every few minutes; check that ${tool} can reach this address.`;
  const since = Math.max(Date.parse(integration.created_at), Date.parse(connection.connected_at));
  if (integration.webhook_state === 'missing' && Date.parse(now) - since > webhookPatienceMs)
    return `${tool} does not send changes here yet. They are fetched every few minutes; check that the connected account may make webhooks.`;
  const unmapped = unmappedStatuses(integration.status_mappings, integration.field_mappings, integration.statuses);
  if (unmapped.length > 0)
    return `Choose a status of the list for ${unmapped.map((status) => statusLabels[status]).join(', ')}: until then it is not sent.`;
  return undefined;
}

function waitsFor({ connection, tool, counts, now }: Circumstances): string | undefined {
  const { pending, due_since } = counts;
  if (connection.blocked_until !== null && connection.blocked_until > now && pending > 0)
    return connection.block_reason === 'away'
      ? `${tool} does not answer at the moment. What waits goes on by itself.`
      : `${tool} takes no more calls for a moment. What waits goes on by itself.`;
  if (connection.block_reason === 'away' && connection.blocked_until !== null && connection.blocked_until > now)
    return `${tool} does not answer at the moment. What changes meanwhile is kept and goes on by itself.`;
  const isLate = due_since !== null && Date.parse(now) - Date.parse(due_since) > duePatienceMs;
  if (isLate || pending > manyPending) return `${tickets(pending)} ${isOrAre(pending)} on the way. Nothing needs to be done.`;
  return undefined;
}

const tickets = (count: number): string => (count === 1 ? 'One ticket' : `${count} tickets`);
const isOrAre = (count: number): string => (count === 1 ? 'is' : 'are');
