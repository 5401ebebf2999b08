import { syncTicketTask, type Ticket } from '@tandem/contracts';
import { eventually } from '@tandem/testing';
import { sql } from 'kysely';
import { asStaff } from '../../test/integrations';
import { Stage, type Scene } from '../../test/scene';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterEach(() => {
  expect(stage.integrations.clickup.violations).toEqual([]);
  stage.tickets.isSilent = false;
  stage.tickets.isDeaf = false;
});
const titleOf = async ({ organization }: Scene, { id }: Ticket) => (await stage.integrations.findLink(organization, id))!.shadow.title;
const isAsked = (scene: Scene, ticket: Ticket, awaiting: string) =>
  eventually(async () => {
    expect(await titleOf(scene, ticket)).toMatchObject({ awaiting, awaiting_since: expect.any(String) as string });
    const link = await stage.integrations.findLink(scene.organization, ticket.id);
    expect(Date.parse(link!.work_at!)).toBeGreaterThan(Date.now() + 60_000);
  });

describe('the answer of tickets', () => {
  it.each([
    ['integrations', { is_active: false, pause_reason: 'by_hand' }, { is_active: true, pause_reason: null }],
    ['links', { state: 'stopped' }, { state: 'linked' }],
    ['links', { state: 'failed' }, { state: 'linked' }],
  ] as const)('ends the waiting also where %s became %j meanwhile', async (table, over, again) => {
    const scene = await stage.aScene();
    const { ticket, task_id } = await stage.aPair(scene);
    const change = (values: object) =>
      stage.integrations.db.forTenant({ organization_id: scene.organization.id }, (tx) =>
        tx
          .updateTable(table)
          .set(values as never)
          .execute(),
      );
    stage.tickets.isSilent = true;
    stage.integrations.clickup.person.rename(task_id, 'First');
    await isAsked(scene, ticket, 'First');
    await change(over);
    stage.tickets.isSilent = false;
    await eventually(async () => expect(await titleOf(scene, ticket)).toEqual({ ticket: 'First', task: 'First' }));
    await change(again);
    stage.integrations.clickup.person.rename(task_id, 'Second');
    await eventually(() => expect(stage.tickets.get(ticket.id).subject).toBe('Second'));
    await stage.quiet(scene, ticket);
  });
});

describe('a question that nobody answered', () => {
  const lose = async (scene: Scene) => {
    const { ticket, task_id } = await stage.aPair(scene);
    stage.tickets.isDeaf = true;
    stage.integrations.clickup.person.rename(task_id, 'Heard at last');
    await isAsked(scene, ticket, 'Heard at last');
    await eventually(() => expect(stage.tickets.lost).toContain(ticket.id));
    stage.tickets.isDeaf = false;
    return ticket;
  };

  it('is asked again when its time is over', async () => {
    const scene = await stage.aScene();
    const ticket = await lose(scene);
    const past = '"2026-01-01T00:00:00.000Z"';
    await stage.integrations.db.forTenant({ organization_id: scene.organization.id }, (tx) =>
      tx
        .updateTable('links')
        .set({ work_at: sql<string>`now()`, shadow: sql<string>`jsonb_set(shadow, '{title,ask_again_at}', ${past}::jsonb)` })
        .execute(),
    );
    await eventually(() => expect(stage.tickets.get(ticket.id).subject).toBe('Heard at last'));
    await stage.quiet(scene, ticket);
  });

  it('is asked again at once when somebody syncs by hand', async () => {
    const scene = await stage.aScene();
    const ticket = await lose(scene);
    await stage.integrations.call(syncTicketTask, asStaff(scene.organization), { params: { id: ticket.id } });
    await eventually(() => expect(stage.tickets.get(ticket.id).subject).toBe('Heard at last'));
    await stage.quiet(scene, ticket);
  });
});
