import { sql, type AliasableExpression, type Expression, type InsertObject, type SqlBool, type UpdateObject } from 'kysely';
import type { IntegrationsSchema, IntegrationsTx, LinkRow, LinkState } from '../schema';

/**
 * The state machine of a link: the events that each state accepts, and the next state. `none` is a ticket that has never had a link.
 * Decision record 0031 contains its diagram, and a test compares both. This is the only file that writes to `links`.
 */
export const transitions = {
  none: { creation_requested: 'creating', task_chosen: 'linked' },
  /** The task is about to be created. */
  creating: {
    creation_retried: 'creating',
    task_created: 'linked',
    sync_failed: 'failed',
    list_deleted: 'gone',
    unlinked: 'unlinked',
  },
  /** Ticket and task are kept in sync. */
  linked: {
    sync_retried: 'linked',
    sync_failed: 'failed',
    loop_detected: 'stopped',
    task_deleted: 'gone',
    list_deleted: 'gone',
    unlinked: 'unlinked',
  },
  /** The tool refused the task or its change permanently. */
  failed: {
    creation_retried: 'creating',
    sync_retried: 'linked',
    task_deleted: 'gone',
    list_deleted: 'gone',
    unlinked: 'unlinked',
  },
  /** Ticket and task changed each other in a loop: only a person starts the sync again. */
  stopped: { sync_retried: 'linked', task_deleted: 'gone', list_deleted: 'gone', unlinked: 'unlinked' },
  /** The task was deleted in the tool. */
  gone: { creation_requested: 'creating', task_chosen: 'linked', unlinked: 'unlinked' },
  /** Unlinked by a person, or together with its integration. `task_restored`: a new integration of the list found the task again. */
  unlinked: { creation_requested: 'creating', task_chosen: 'linked', task_restored: 'linked' },
} as const satisfies Record<LinkState | 'none', Record<string, LinkState>>;

type Transitions = typeof transitions;
export type LinkEvent = { [S in keyof Transitions]: keyof Transitions[S] }[keyof Transitions];
type InitialEvent = keyof Transitions['none'];

const states = Object.keys(transitions) as (keyof Transitions)[];
const nextStates = (state: LinkState | 'none'): Partial<Record<LinkEvent, LinkState>> => transitions[state];

export class IllegalTransition extends Error {
  constructor(state: LinkState | 'none', event: LinkEvent) {
    super(`A link in the state '${state}' does not accept the event '${event}'`);
    this.name = 'IllegalTransition';
  }
}

/** The state after an event. Throws `IllegalTransition` if the state does not accept it. */
export function nextState(state: LinkState | 'none', event: LinkEvent): LinkState {
  const next = nextStates(state)[event];
  if (next === undefined) throw new IllegalTransition(state, event);
  return next;
}

/** The states that accept an event. */
export const statesAccepting = (event: LinkEvent): LinkState[] =>
  states.filter((state): state is LinkState => state !== 'none' && nextStates(state)[event] !== undefined);

/** The state that an event leads to, which is the same from every state. */
export const targetOf = (event: LinkEvent): LinkState =>
  nextState(
    states.find((state) => nextStates(state)[event] !== undefined)!,
    event,
  );

/** States in which the link is synced; in the others it waits for a person, or has ended. */
export const activeStates = ['creating', 'linked'] as const satisfies LinkState[];
/** States without a task: the ticket can be linked again. */
export const endedStates = ['unlinked', 'gone'] as const satisfies LinkState[];
export const isEnded = (state: LinkState): boolean => (endedStates as readonly LinkState[]).includes(state);

type Key = Pick<LinkRow, 'organization_id' | 'ticket_id'>;
/** Columns to set. Their types exclude `state`, which only events change. */
export type LinkValues = UpdateObject<IntegrationsSchema, 'links'>;
const withState = (state: LinkState): LinkValues => ({ state }) as object;

/** Updates columns of links, except the state. */
export const updateLinks = (tx: IntegrationsTx) => tx.updateTable('links');
export const deleteLinks = (tx: IntegrationsTx) => tx.deleteFrom('links');

/**
 * Applies an event to a link. Throws `IllegalTransition` if its state does not accept the event. Undefined if the link has another state or
 * task by now.
 */
export const applyEvent = (
  tx: IntegrationsTx,
  { organization_id, ticket_id, state, task_id }: Pick<LinkRow, 'organization_id' | 'ticket_id' | 'state' | 'task_id'>,
  event: LinkEvent,
  values: LinkValues = {},
): Promise<LinkRow | undefined> =>
  updateLinks(tx)
    .set({ ...values, ...withState(nextState(state, event)) })
    .where('organization_id', '=', organization_id)
    .where('ticket_id', '=', ticket_id)
    .where('state', '=', state)
    .where('task_id', 'is not distinct from', task_id)
    .returningAll()
    .executeTakeFirst();

/** Applies an event to all links whose state accepts it; the caller adds further values and conditions. */
export const applyEventToAll = (tx: IntegrationsTx, event: LinkEvent) =>
  updateLinks(tx)
    .set(withState(targetOf(event)))
    .where('links.state', 'in', statesAccepting(event));

type NewLink = Key & Pick<LinkRow, 'integration_id' | 'connection_id' | 'urgency' | 'is_backfill' | 'next_sync_at'>;

/** The first link of a ticket. False if the ticket already has one, in any state. */
export async function insertLink(
  tx: IntegrationsTx,
  event: InitialEvent,
  values: Omit<InsertObject<IntegrationsSchema, 'links'>, 'state'>,
): Promise<boolean> {
  const added = await tx
    .insertInto('links')
    .values({ ...values, state: nextState('none', event) })
    .onConflict((conflict) => conflict.columns(['organization_id', 'ticket_id']).doNothing())
    .returning('ticket_id')
    .executeTakeFirst();
  return added !== undefined;
}

/** Inserts the link of a ticket, or starts its ended link again. Throws `IllegalTransition` if the current link has not ended. */
export async function insertOrRestartLink(tx: IntegrationsTx, key: Key, event: InitialEvent, values: LinkValues): Promise<void> {
  const present = await tx
    .selectFrom('links')
    .select('state')
    .where('organization_id', '=', key.organization_id)
    .where('ticket_id', '=', key.ticket_id)
    .forUpdate()
    .executeTakeFirst();
  const row = { ...values, ...withState(nextState(present?.state ?? 'none', event)) };
  await tx
    .insertInto('links')
    .values({ ...key, ...row } as never)
    .onConflict((conflict) => conflict.columns(['organization_id', 'ticket_id']).doUpdateSet(row as object))
    .execute();
}

/**
 * Inserts links for many tickets, and starts their ended links that fulfill `restart.condition` again, with `restart.values`. All other
 * links stay unchanged. Returns the number of links.
 */
export async function insertOrRestartLinks(
  tx: IntegrationsTx,
  event: InitialEvent,
  tickets: AliasableExpression<NewLink>,
  restart: { values: LinkValues; condition: Expression<SqlBool> },
): Promise<number> {
  const columns = ['organization_id', 'ticket_id', 'integration_id', 'connection_id', 'urgency', 'is_backfill', 'next_sync_at'] as const;
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('links')
    .columns([...columns, 'state'])
    .expression(
      tx
        .selectFrom(tickets.as('ticket'))
        .select(columns)
        .select(sql.lit(targetOf(event)).as('state')),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'ticket_id'])
        .doUpdateSet((eb) => {
          const written = columns.map((column) => [column, eb.ref(`excluded.${column}`)]);
          return { ...restart.values, ...Object.fromEntries(written), ...withState(targetOf(event)) } as object;
        })
        .where('links.state', 'in', statesAccepting(event))
        .where(restart.condition),
    )
    .executeTakeFirst();
  return Number(numInsertedOrUpdatedRows ?? 0);
}
