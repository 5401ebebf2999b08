import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { IllegalTransition, nextState, statesAccepting, targetOf, transitions, type LinkEvent } from './link-state';

const edges = Object.entries(transitions).flatMap(([state, events]) =>
  Object.entries(events).map(([event, next]) => ({ state: state as keyof typeof transitions, event: event as LinkEvent, next })),
);

describe('the state machine of a link', () => {
  it('leads from each state to the state in the table', () => {
    for (const { state, event, next } of edges) expect(nextState(state, event)).toBe(next);
  });

  it('throws for an event that a state does not accept', () => {
    expect(() => nextState('linked', 'task_created')).toThrow(IllegalTransition);
    expect(() => nextState('stopped', 'loop_detected')).toThrow("A link in the state 'stopped' does not accept the event 'loop_detected'");
    const events = [...new Set(edges.map(({ event }) => event))];
    const states = Object.keys(transitions) as (keyof typeof transitions)[];
    const illegal = states.flatMap((state) => events.filter((event) => !(event in transitions[state])).map((event) => ({ state, event })));
    for (const { state, event } of illegal) expect(() => nextState(state, event)).toThrow(IllegalTransition);
  });

  it('leads to the same state from every state that accepts an event', () => {
    for (const { event, next } of edges) expect(targetOf(event)).toBe(next);
  });

  it('can reach every state, and leave it', () => {
    const states = Object.keys(transitions).filter((state) => state !== 'none');
    expect([...new Set(edges.map(({ next }) => next))].sort()).toEqual([...states].sort());
    for (const state of states) expect(edges.some((edge) => edge.state === state && edge.next !== state)).toBe(true);
  });

  it('lists the states that accept an event', () => {
    expect(statesAccepting('creation_requested').sort()).toEqual(['gone', 'unlinked']);
    expect(statesAccepting('unlinked').sort()).toEqual(['creating', 'failed', 'gone', 'linked', 'stopped']);
  });

  it('equals the diagram in the decision record', () => {
    const record = readFileSync(join(__dirname, '../../../../docs/decisions/0031-link-state-machine.md'), 'utf8');
    const drawn = [...record.matchAll(/^ {4}(\[\*\]|\w+) --> (\w+): (\w+)$/gm)].map(([, from, next, event]) => `${from} ${event} ${next}`);
    expect(drawn.sort()).toEqual(edges.map(({ state, event, next }) => `${state === 'none' ? '[*]' : state} ${event} ${next}`).sort());
  });
});

it('only link-state.ts writes to links', () => {
  const root = join(__dirname, '..');
  const sources = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'),
  );
  const write =
    /\b(?:updateTable|insertInto|deleteFrom|mergeInto)\(\s*['"`]links\b|\b(?:update|insert into|delete from|merge into)\s+"?links\b/i;
  const writers = sources.filter((file) => write.test(readFileSync(join(root, file), 'utf8')));
  expect(writers).toEqual(['engine/link-state.ts']);
});
