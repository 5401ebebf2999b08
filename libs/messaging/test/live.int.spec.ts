import { organizationUpdated } from '@tandem/contracts';
import { newId } from '@tandem/db';
import { startFlakyProxy, eventually, organizationOf, staff, testServers } from '@tandem/testing';
import { emit, LiveEvents, type LiveEvent } from '../src';
import { noteCreated, startNotes } from './notes';

const agent = staff('agent');
const organization = organizationOf(agent.organization_id);

it('live events reach the listeners of their organization, over a restart of NATS, and say no more than that something happened', async () => {
  const notes = await startNotes({ RUN: 'http,events' });
  const proxy = await startFlakyProxy(testServers().natsUrl);
  const live = new LiveEvents({
    NATS_URL: proxy.url,
    NATS_STREAM: notes.env['NATS_STREAM']!,
    EVENTS_PREFIX: notes.env['EVENTS_PREFIX']!,
    LOG_LEVEL: 'fatal',
  });
  live.start();
  const heard: LiveEvent[] = [];
  const overheard: LiveEvent[] = [];
  const stop = live.subscribe(agent.organization_id, (event) => heard.push(event));
  live.subscribe(newId(), (event) => overheard.push(event));
  const announce = (subject: string) => notes.db.forTenant(agent, (tx) => emit(tx, agent, organizationUpdated, subject, { organization }));

  const first = newId();
  await eventually(() => live.check());
  await eventually(async () => {
    await announce(first);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(heard.length).toBeGreaterThan(0);
  });
  expect(heard[0]).toEqual({
    type: 'organization.updated',
    subject: first,
    sequence: expect.any(Number) as number,
    id: expect.any(String) as string,
  });

  proxy.cut();
  const missed = newId();
  await announce(missed);
  proxy.restore();
  await eventually(() => expect(heard.map(({ subject }) => subject)).toContain(missed), { timeoutMs: 20_000 });

  await notes.db.forTenant(agent, (tx) => emit(tx, agent, noteCreated, newId(), { text: 'not live' }));
  stop();
  const before = heard.length;
  await announce(newId());
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(heard).toHaveLength(before);
  expect(heard.map(({ type }) => type)).not.toContain('note.created');
  expect(overheard).toEqual([]);
  await live.close();
  await live.close();
  await notes.close();
  await proxy.close();
});
