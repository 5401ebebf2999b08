import { conflictRules, syncDirections, type ConflictRule, type SyncDirection } from '@tandem/contracts';
import { decide, acknowledge, type FieldShadow, type FieldState, type Value } from './merge';

const goesTo = (way: 'to_task' | 'to_ticket', direction: SyncDirection) => direction === 'both' || direction === way;

/** Each ticket value maps to the same text in capitals in the task, except the values in `unmapped`. */
const unmappedNothing = { to_task: '', to_ticket: '' };
function aField(overrides: Partial<FieldState> = {}, unmapped: { to_task: string; to_ticket: string } = unmappedNothing): FieldState {
  return {
    direction: 'both',
    ticket: 'a',
    task: 'A',
    toTask: (value) => (value === unmapped.to_task ? undefined : String(value).toUpperCase()),
    toTicket: (value) => (value === unmapped.to_ticket ? undefined : String(value).toLowerCase()),
    ...overrides,
  };
}
const agreed: FieldShadow = { ticket: 'a', task: 'A' };
const latest = { rule: 'latest', ticket_is_later: true } as const;

describe('a field without changes', () => {
  it.each(syncDirections)('stays unchanged (%s)', (direction) => {
    expect(decide(aField({ direction }), agreed, latest)).toEqual({ kind: 'none', shadow: agreed });
  });

  it('stays unchanged even if the two sides never agreed', () => {
    expect(decide(aField({ task: 'Z' }), { ticket: 'a', task: 'Z' }, latest)).toEqual({ kind: 'none', shadow: { ticket: 'a', task: 'Z' } });
  });

  it('stays unchanged if it is a list', () => {
    const lists = aField({ ticket: ['x', 'y'], task: ['X'] });
    expect(decide(lists, { ticket: ['x', 'y'], task: ['X'] }, latest)).toMatchObject({ kind: 'none' });
    expect(decide({ ...lists, ticket: ['x'] }, { ticket: ['x', 'y'], task: ['X'] }, latest)).toMatchObject({ kind: 'to_task' });
  });
});

describe('a field that changed on one side', () => {
  it.each(syncDirections)('of the ticket goes to the task if its direction allows (%s)', (direction) => {
    const decision = decide(aField({ direction, ticket: 'b' }), agreed, latest);
    if (goesTo('to_task', direction)) expect(decision).toEqual({ kind: 'to_task', value: 'B', conflict: false });
    else expect(decision).toEqual({ kind: 'none', shadow: { ticket: 'b', task: 'A' } });
  });

  it.each(syncDirections)('of the task goes to the ticket if its direction allows (%s)', (direction) => {
    const decision = decide(aField({ direction, task: 'B' }), agreed, latest);
    if (goesTo('to_ticket', direction))
      expect(decision).toEqual({
        kind: 'to_ticket',
        from: 'a',
        to: 'b',
        shadow: { ticket: 'a', task: 'B', pending_value: 'b' },
        conflict: false,
      });
    else expect(decision).toEqual({ kind: 'none', shadow: { ticket: 'a', task: 'B' } });
  });

  it('is not sent, and reported once, if the other side has no equivalent', () => {
    const unmapped = { to_task: 'b', to_ticket: 'C' };
    const out = decide(aField({ ticket: 'b' }, unmapped), agreed, latest);
    expect(out).toEqual({ kind: 'none', shadow: { ticket: 'b', task: 'A' }, unmapped: 'to_task' });
    const back = decide(aField({ task: 'C' }, unmapped), agreed, latest);
    expect(back).toEqual({ kind: 'none', shadow: { ticket: 'a', task: 'C' }, unmapped: 'to_ticket' });
    expect(decide(aField({ task: 'C' }, unmapped), { ticket: 'a', task: 'C' }, latest)).not.toHaveProperty('unmapped');
  });

  it('goes to the ticket only with a new meaning: two of Tandem’s values that map to one of the tool’s do not alternate', () => {
    const manyToOne = aField({ ticket: 'b', toTask: () => 'A', toTicket: () => 'a' });
    expect(decide(manyToOne, agreed, latest)).toEqual({ kind: 'none', shadow: { ticket: 'b', task: 'A' } });
  });
});

describe('a field that changed on both sides', () => {
  const both = aField({ ticket: 'b', task: 'C' });
  it.each([
    ['help_desk', false, 'to_task'],
    ['help_desk', true, 'to_task'],
    ['task', true, 'to_ticket'],
    ['task', false, 'to_ticket'],
    ['latest', true, 'to_task'],
    ['latest', false, 'to_ticket'],
  ] as const)('follows the rule %s (ticket later: %s)', (rule, ticket_is_later, kind) => {
    expect(decide(both, agreed, { rule, ticket_is_later })).toMatchObject({ kind, conflict: true });
  });

  it.each(conflictRules)('to the same value is agreed (%s)', (rule) => {
    expect(decide(aField({ ticket: 'b', task: 'B' }), agreed, { rule, ticket_is_later: false })).toEqual({
      kind: 'none',
      shadow: { ticket: 'b', task: 'B' },
    });
  });

  it('is not a conflict if it syncs in one direction only', () => {
    expect(decide({ ...both, direction: 'to_task' }, agreed, { rule: 'task', ticket_is_later: false })).toMatchObject({
      kind: 'to_task',
      conflict: false,
    });
    expect(decide({ ...both, direction: 'to_ticket' }, agreed, { rule: 'help_desk', ticket_is_later: true })).toMatchObject({
      kind: 'to_ticket',
      conflict: false,
    });
  });
});

describe('a field that the task refused', () => {
  const refused: FieldShadow = { ...agreed, refused: { value: 'B', reason: 'Too long', tries: 1, retry_at: '2026-11-22T10:00:00.000Z' } };

  it('differs, and keeps the values last agreed on', () =>
    expect(decide(aField({ ticket: 'b' }), refused, latest)).toEqual({ kind: 'refused', value: 'B', shadow: refused }));
  it('is sent when the ticket changes again', () =>
    expect(decide(aField({ ticket: 'c' }), refused, latest)).toMatchObject({ kind: 'to_task', value: 'C' }));
  it('is sent when the same value has another name in the task now', () =>
    expect(decide(aField({ ticket: 'b', toTask: () => 'B2' }), refused, latest)).toMatchObject({ kind: 'to_task', value: 'B2' }));
  it('is agreed when the ticket changes back, or the task adopts the value', () => {
    expect(decide(aField(), refused, latest)).toEqual({ kind: 'none', shadow: agreed });
    expect(decide(aField({ ticket: 'b', task: 'B' }), refused, latest)).toEqual({ kind: 'none', shadow: { ticket: 'b', task: 'B' } });
  });
  it.each(conflictRules)('is a conflict when the task changes (%s)', (rule) =>
    expect(decide(aField({ ticket: 'b', task: 'C' }), refused, { rule, ticket_is_later: true })).toMatchObject(
      rule === 'task' ? { kind: 'to_ticket', from: 'b', to: 'c' } : { kind: 'to_task', value: 'B' },
    ),
  );
});

describe('a field that was proposed to the ticket', () => {
  const asked: FieldShadow = { ticket: 'a', task: 'B', pending_value: 'b' };

  it('waits for the answer', () => expect(decide(aField({ task: 'B' }), asked, latest)).toEqual({ kind: 'wait', shadow: asked }));
  it('still waits when the task changes again', () =>
    expect(decide(aField({ task: 'C' }), asked, latest)).toEqual({ kind: 'wait', shadow: asked }));
  it('is agreed once the ticket has the value', () =>
    expect(decide(aField({ ticket: 'b', task: 'B' }), asked, latest)).toEqual({ kind: 'none', shadow: { ticket: 'b', task: 'B' } }));
  it('is proposed again if the task has changed in the meantime', () =>
    expect(decide(aField({ ticket: 'b', task: 'C' }), asked, latest)).toMatchObject({ kind: 'to_ticket', from: 'b', to: 'c' }));
  it.each(conflictRules)('is a conflict if the ticket changed to a third value (%s)', (rule) => {
    const decision = decide(aField({ ticket: 'c', task: 'B' }), asked, { rule, ticket_is_later: true });
    expect(decision).toMatchObject(rule === 'task' ? { kind: 'to_ticket', from: 'c', to: 'b' } : { kind: 'to_task', value: 'C' });
  });
  it('is compared if the ticket changed first, even back to its previous value', () => {
    const superseded = acknowledge(asked, 'c', false);
    expect(superseded).toEqual({ ...asked, superseded: true });
    expect(decide(aField({ ticket: 'a', task: 'B' }), superseded, latest)).toMatchObject({ kind: 'to_task', value: 'A', conflict: true });
  });
  it('is not proposed again after a refusal, and keeps waiting after an answer to another proposal', () => {
    expect(acknowledge(asked, 'a', true)).toEqual({ ticket: 'a', task: 'B' });
    expect(acknowledge(asked, 'a', false)).toBe(asked);
    expect(acknowledge(agreed, 'c', true)).toBe(agreed);
  });
  it('is not sent to a task if its direction does not allow it', () => {
    const decision = decide(aField({ ticket: 'c', task: 'B', direction: 'to_ticket' }), asked, latest);
    expect(decision).toMatchObject({ kind: 'to_ticket', from: 'c', to: 'b' });
  });
});

// ---- every combination, until nothing is left to sync -------------------------------------------------------------

interface World {
  field: FieldState;
  shadow: FieldShadow;
  writes: number;
}
/** The answer of the tickets service: the ticket accepts the value, refuses it, or was changed to a third value first. */
type Answer = 'takes' | 'refuses' | 'superseded';

function step(world: World, options: { rule: ConflictRule; ticket_is_later: boolean }, answer: Answer): World {
  const { field } = world;
  const decision = decide(field, world.shadow, options);
  if (decision.kind === 'none' || decision.kind === 'wait' || decision.kind === 'refused') return { ...world, shadow: decision.shadow };
  const writes = world.writes + 1;
  if (decision.kind === 'to_task')
    return { field: { ...field, task: decision.value }, shadow: { ticket: field.ticket, task: decision.value }, writes };
  const ticket: Value = answer === 'takes' ? decision.to : answer === 'superseded' ? (field.ticket === 'c' ? 'a' : 'c') : field.ticket;
  return { field: { ...field, ticket }, shadow: acknowledge(decision.shadow, ticket, answer !== 'takes'), writes };
}

const values = ['a', 'b', 'c'] as const;
const combinations = syncDirections.flatMap((direction) =>
  conflictRules.flatMap((rule) =>
    [true, false].flatMap((ticket_is_later) =>
      [unmappedNothing, { to_task: 'b', to_ticket: '' }, { to_task: '', to_ticket: 'B' }, { to_task: 'b', to_ticket: 'B' }].flatMap(
        (unmapped) =>
          values.flatMap((ticket) =>
            values.map((task) => ({ direction, rule, ticket_is_later, unmapped, ticket, task: task.toUpperCase() })),
          ),
      ),
    ),
  ),
);

describe.each(['takes', 'refuses', 'superseded'] as const)('for all changes, if the answer of the tickets service is “%s”', (answer) => {
  it('the sync ends after at most three writes', () => {
    for (const { direction, rule, ticket_is_later, unmapped, ticket, task } of combinations) {
      let world: World = { field: aField({ direction, ticket, task }, unmapped), shadow: agreed, writes: 0 };
      for (let round = 0; round < 4; round += 1) world = step(world, { rule, ticket_is_later }, round === 0 ? answer : 'takes');
      expect(world.writes).toBeLessThanOrEqual(3);
      expect(world.shadow).toEqual({ ticket: world.field.ticket, task: world.field.task });
      const { writes } = step(world, { rule, ticket_is_later }, 'takes');
      expect(writes).toBe(world.writes);
    }
  });

  it('both sides then have the same value, unless a direction, a missing equivalent or a refusal prevents it', () => {
    for (const { direction, rule, ticket_is_later, unmapped, ticket, task } of combinations) {
      let world: World = { field: aField({ direction, ticket, task }, unmapped), shadow: agreed, writes: 0 };
      for (let round = 0; round < 4; round += 1) world = step(world, { rule, ticket_is_later }, round === 0 ? answer : 'takes');
      const same = String(world.field.ticket).toUpperCase() === world.field.task;
      const mayDiffer = direction !== 'both' || unmapped !== unmappedNothing || answer === 'refuses';
      if (!mayDiffer) expect(same).toBe(true);
      // Nothing was ever written in a direction that is off.
      if (!goesTo('to_task', direction)) expect(world.field.task).toBe(task);
      if (!goesTo('to_ticket', direction)) expect(world.field.ticket).toBe(ticket);
    }
  });

  it('one write is enough if only one side changed', () => {
    for (const { direction, rule, ticket_is_later, unmapped, ticket, task } of combinations) {
      if (ticket !== 'a' && task !== 'A') continue;
      if (answer === 'superseded') continue;
      let world: World = { field: aField({ direction, ticket, task }, unmapped), shadow: agreed, writes: 0 };
      for (let round = 0; round < 4; round += 1) world = step(world, { rule, ticket_is_later }, answer);
      expect(world.writes).toBeLessThanOrEqual(1);
    }
  });
});
