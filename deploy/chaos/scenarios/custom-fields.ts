import { expectNoPendingWork, signedIn, untilPasses } from '../ticketing.ts';
import type { ChaosApp } from '../chaos-app.ts';

/** tickets is killed while it removes the values of a deleted custom field from more tickets than one transaction changes. */
export function customFields(running: () => ChaosApp): void {
  const scenario = 'custom-fields-kill';
  const count = 3_000;
  /** The field expires when this action starts, just before the kill. */
  const beforeTheFault = 5;
  let app: ChaosApp;
  let admin: Record<string, string>;

  beforeAll(async () => {
    app = running();
    admin = await signedIn(app, 'admin@demo.test');
  }, 60_000);

  const aField = async (key: string, type: string) =>
    (await app.mustCreate<{ id: string }>('/custom-fields', { key, type, label: key }, admin)).id;
  const valuesOf = (key: string) =>
    app.rows<{ n: number }>(
      'tickets',
      `select count(*)::int as n from tickets t join ticket_field_values v on v.ticket_id = t.id
      where v.key = $1 and t.custom_fields ? $1 and t.version = 1`,
      [key],
    );

  it('tickets: all values of the expired field are removed once, and those of other fields stay', async () => {
    const [color, size] = [await aField('chaos_color', 'text'), await aField('chaos_size', 'number')];
    const first = await app.mustCreate<{ id: string; organization_id: string }>(
      '/tickets',
      { subject: scenario, customer_email: `${scenario}@example.com`, custom_fields: { chaos_color: 'red', chaos_size: 0 } },
      admin,
    );
    await app.rows(
      'tickets',
      `insert into tickets (organization_id, id, ticket_number, subject, customer_email, status, priority, tags, created_at, updated_at, version, custom_fields)
      select organization_id, gen_random_uuid(), 'CHAOS-' || n, subject, customer_email, 'closed', priority, tags, created_at, updated_at, 1,
        jsonb_build_object('chaos_color', 'red', 'chaos_size', n)
      from tickets, generate_series(1, $2::integer) n where id = $1`,
      [first.id, count],
    );
    try {
      expect(await valuesOf('chaos_color')).toEqual([{ n: count + 1 }]);
      expect(await app.mustSend('DELETE', `/custom-fields/${color}`, undefined, admin)).toEqual({});
      const expire = () => app.rows('tickets', `update custom_fields set deleted_at = now() - interval '31 days' where id = $1`, [color]);
      await app.whileKilling('tickets', async (i) => {
        const expired = i === beforeTheFault ? expire() : undefined;
        const answer = await app.create('/public/tickets', { subject: `${scenario} ${i}`, customer_email: `${scenario}-${i}@example.com` });
        await expired;
        return answer;
      });
      await untilPasses(async () => {
        expect(await app.rows('tickets', 'select id from custom_fields where id = $1', [color])).toEqual([]);
      });
      expect([await valuesOf('chaos_color'), await valuesOf('chaos_size')]).toEqual([[{ n: 0 }], [{ n: count + 1 }]]);
      await untilPasses(() => expectNoPendingWork(app));
    } finally {
      // These tickets have no events, so other scenarios must not see them.
      await app.rows('tickets', `delete from tickets where ticket_number like 'CHAOS-%'`, []);
      await app.mustSend('DELETE', `/custom-fields/${size}`, undefined, admin);
    }
  }, 240_000);
}
