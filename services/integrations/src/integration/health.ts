import { statusLabels, type IntegrationHealth } from '@tandem/contracts';
import type { ConnectionRow, IntegrationRow } from '../schema';
import { unmappedStatuses } from './mapping';

/** Numbers of an integration's links by their state. */
export interface LinkCounts {
  linked: number;
  /** Due, or waiting for a retry. */
  pending: number;
  failed: number;
  stopped: number;
  /** Linked, with a field that the task refused. */
  differing: number;
  /** When the earliest pending link was due; null if none is pending. */
  due_since: string | null;
}
export const noLinks: LinkCounts = { linked: 0, pending: 0, failed: 0, stopped: 0, differing: 0, due_since: null };

/** A new integration has no webhook at first, which does not justify a warning. */
const webhookGraceMs = 5 * 60_000;
const dueGraceMs = 2 * 60_000;
const manyPending = 100;

export interface HealthInput {
  integration: IntegrationRow;
  connection: Pick<ConnectionRow, 'state' | 'blocked_until' | 'block_reason' | 'connected_at'>;
  /** The tool's display name. */
  tool: string;
  counts: LinkCounts;
  now: string;
}
interface Health {
  health: IntegrationHealth;
  health_detail: string | null;
  health_problems: string[];
}

/**
 * The health of an integration and all of its problems, the most important first: problems that block all tickets come before those that
 * concern some of them. Computed on each read, never stored.
 */
export function healthOf(input: HealthInput): Health {
  const { integration } = input;
  const broken = brokenBecause(input);
  const attention = broken ? partlyFailed(input) : integration.is_active ? needsAttention(input) : circling(input);
  const waits = integration.is_active && !broken ? waitsFor(input) : undefined;
  if (broken !== undefined) return result(integration.pause_reason === 'unavailable' ? 'attention' : 'broken', [broken, ...attention]);
  if (!integration.is_active && attention.length === 0) return result('paused', []);
  if (attention.length > 0) return result('attention', [...(waits?.isOutage ? [waits.text] : []), ...attention]);
  return waits ? result('catching_up', [waits.text]) : result('ok', []);
}

const result = (health: IntegrationHealth, problems: string[]): Health => ({
  health,
  health_detail: problems[0] ?? null,
  health_problems: problems,
});

function brokenBecause({ connection, integration, tool }: HealthInput): string | undefined {
  if (connection.state === 'broken' || integration.pause_reason === 'connection_broken')
    return `${tool} no longer accepts the connection. Connect it again: waiting changes are then sent.`;
  if (integration.pause_reason === 'unavailable' || integration.pause_reason === 'list_gone')
    return (
      integration.pause_detail ??
      `The list was not found in ${tool}, or the connection no longer has access to it. Remove this integration, or resume it once the list is available.`
    );
  return undefined;
}

const circling = ({ integration, tool }: HealthInput): string[] =>
  integration.pause_reason === 'loop'
    ? [`Tickets and tasks kept changing each other. See what else changes them in ${tool}, then resume.`]
    : [];

/** Problems of individual tickets. */
function partlyFailed({ tool, counts: { stopped, failed, differing } }: HealthInput): string[] {
  const problems: string[] = [];
  if (stopped > 0)
    problems.push(
      `${tickets(stopped)} and ${stopped === 1 ? 'its task' : 'their tasks'} kept changing each other and ${isOrAre(stopped)} no longer synced. Find out what changes them, then try again.`,
    );
  if (failed > 0) problems.push(`${tickets(failed)} could not be synced with ${tool}. See what failed, then try again.`);
  if (differing > 0)
    problems.push(
      differing === 1
        ? `One ticket differs from its task, because ${tool} refused a field. It is sent again automatically.`
        : `${differing} tickets differ from their tasks, because ${tool} refused a field. They are sent again automatically.`,
    );
  return problems;
}

function needsAttention(input: HealthInput): string[] {
  const { integration, connection, tool, now } = input;
  const problems = partlyFailed(input);
  const since = Math.max(Date.parse(integration.created_at), Date.parse(connection.connected_at));
  if (integration.webhook_state === 'suspended' || integration.webhook_state === 'failing')
    problems.push(
      `${tool} has trouble sending changes here. They are fetched every few minutes; check that ${tool} can reach this address.`,
    );
  else if (integration.webhook_state === 'missing' && Date.parse(now) - since > webhookGraceMs)
    problems.push(
      `${tool} does not send changes here yet. They are fetched every few minutes; check that the connected account may create webhooks.`,
    );
  const unmapped = unmappedStatuses(integration.status_mappings, integration.field_mappings, integration.statuses);
  if (unmapped.length > 0)
    problems.push(`Choose a list status for ${unmapped.map((status) => statusLabels[status]).join(', ')}. Until then, it is not sent.`);
  return problems;
}

/** The reason why tickets are waiting, and whether it blocks all of them. */
function waitsFor({ connection, tool, counts, now }: HealthInput): { text: string; isOutage: boolean } | undefined {
  const { pending, due_since } = counts;
  const outage = (text: string) => ({ text, isOutage: true });
  if (connection.blocked_until !== null && connection.blocked_until > now && pending > 0)
    return connection.block_reason === 'unreachable'
      ? outage(`${tool} does not answer at the moment. Waiting changes are sent automatically once it does.`)
      : outage(`The rate limit of ${tool} is used up. Waiting changes are sent automatically when it resets.`);
  if (connection.block_reason === 'unreachable' && connection.blocked_until !== null && connection.blocked_until > now)
    return outage(`${tool} does not answer at the moment. Changes are kept and sent automatically once it does.`);
  const isLate = due_since !== null && Date.parse(now) - Date.parse(due_since) > dueGraceMs;
  if (isLate || pending > manyPending)
    return { text: `${tickets(pending)} ${isOrAre(pending)} waiting to sync. Nothing needs to be done.`, isOutage: false };
  return undefined;
}

const tickets = (count: number): string => (count === 1 ? 'One ticket' : `${count} tickets`);
const isOrAre = (count: number): string => (count === 1 ? 'is' : 'are');
