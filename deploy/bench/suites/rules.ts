import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { step } from '../../local/steps.ts';
import { BenchSystem } from '../bench-system.ts';
import { cpuBetween, foreignShare, readCpu } from '../processes.ts';
import type { Report } from '../report.ts';
import { organizations, type Organization } from '../seed.ts';
import { ask, expect, signIn } from '../session.ts';
import { sendEmails, smtpConnections } from '../smtp-load.ts';
import { quantile } from '../statistics.ts';

const emails = 1_000;
/** The limit of an organization. */
const rules = 100;
const tests = 30;
const mailDomain = 'mail.bench.test';
const size = { organizations: 3, first: 1_000, each: 1_000, commented: 0, people: 5 };

/** What the rules that match do to each email: two changed fields, a tag, a note and a reply, by four rules. */
const matching = [
  { condition: { field: 'text', op: 'contains', value: 'refund' }, actions: [{ type: 'set_priority', priority: 'high' }] },
  { condition: { field: 'priority', op: 'is_any_of', value: ['high'] }, actions: [{ type: 'add_tags', tags: ['refund'] }] },
  { condition: { field: 'channel', op: 'is_any_of', value: ['email'] }, actions: [{ type: 'add_note', content: 'Check the order first' }] },
  {
    condition: { field: 'customer_domain', op: 'is', value: 'customers.test' },
    actions: [
      { type: 'set_category', category: 'Billing' },
      { type: 'send_reply', content: 'Thank you. We check your order.' },
    ],
  },
];
/** Each reads the whole text, and also the fields. */
const ruleThatDoesNotMatch = (n: number) => ({
  condition: {
    any: [
      { field: 'text', op: 'contains', value: `unused-word-${n}` },
      {
        all: [
          { field: 'customer_domain', op: 'is', value: `domain-${n}.test` },
          { field: 'in_business_hours', op: 'is', value: false },
        ],
      },
    ],
  },
  actions: [{ type: 'add_tags', tags: [`tag-${n}`] }],
});

/** Sends 1,000 emails to an organization without rules, to one with 100 rules that do not match, and to one in which 4 of 100 match each email. */
export async function rulesSuite(signal: AbortSignal): Promise<Report> {
  const system = await BenchSystem.start(signal, size, { MAIL_DOMAIN: mailDomain });
  try {
    const [without, unmatched, matched] = organizations as [Organization, Organization, Organization];
    await addRules(system, unmatched, []);
    await addRules(system, matched, matching);
    await step('200 emails to warm up', () => burst(system, without, 200, 'warm-up'));
    const bursts = [];
    for (const [name, organization] of [
      ['no rules', without],
      [`${rules} rules, none matches`, unmatched],
      [`${rules} rules, ${matching.length} match`, matched],
    ] as const)
      bursts.push({ name, ...(await step(`${emails} emails: ${name}`, () => burst(system, organization, emails, 'measured'))) });
    await check(system, matched);
    return report(bursts, await step(`${tests} tests of a rule`, () => testRule(system, matched)));
  } finally {
    await system.stop();
  }
}

async function addRules({ gatewayOrigin }: BenchSystem, { people }: Organization, some: readonly object[]): Promise<void> {
  const { headers } = await signIn(gatewayOrigin, people[0]!);
  const all = [...Array.from({ length: rules - some.length }, (_, n) => ruleThatDoesNotMatch(n)), ...some];
  for (const [n, rule] of all.entries()) {
    const body = JSON.stringify({ name: `Rule ${n + 1}`, triggers: ['ticket_created', 'ticket_updated'], ...rule });
    const init = { method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' }, body };
    expect(`rule ${n + 1}`, (await ask(`${gatewayOrigin}/api/v1/rules`, init)).status, 201);
  }
}

interface Burst {
  acceptedMs: number;
  processedMs: number;
  /** Milliseconds of CPU time per email in the tickets service, and in all processes. */
  cpu: { tickets: number; all: number };
  foreign: number;
}
async function burst(system: BenchSystem, organization: Organization, count: number, name: string): Promise<Burst> {
  const before = readCpu(system.product);
  const begun = performance.now();
  const sent = await sendEmails(system, count, (n) => emailOf(organization, `${name}-${n}`));
  const acceptedMs = performance.now() - begun;
  expect('accepted emails', sent.accepted.size, count);
  await untilProcessed(system, organization, `${name}-%`, count);
  const processedMs = performance.now() - begun;
  const after = readCpu(system.product);
  const used = cpuBetween(before, after);
  const sum = Object.values(used).reduce((total, ms) => total + ms, 0);
  return {
    acceptedMs,
    processedMs,
    cpu: { tickets: used['tickets']! / count, all: sum / count },
    foreign: foreignShare(before, after, cpus().length),
  };
}

function emailOf({ id }: Organization, name: string) {
  const [from, to] = [`${name}@customers.test`, `support@${id}.${mailDomain}`];
  const paragraph = 'I ordered two lamps in March, and one of them arrived with a broken shade. Please give me a refund for it. ';
  const head = `From: ${from}\r\nTo: ${to}\r\nSubject: Broken lamp ${name}\r\nMessage-ID: <${name}-${id}@customers.test>\r\n`;
  return { from, to, raw: Buffer.from(`${head}Content-Type: text/plain; charset=utf-8\r\n\r\n${paragraph.repeat(11)}\r\n`) };
}

async function untilProcessed(system: BenchSystem, { id }: Organization, senders: string, count: number): Promise<void> {
  for (const deadline = Date.now() + 300_000; ; await sleep(50)) {
    system.signal.throwIfAborted();
    const [found] = await system.query<{ count: number }>(
      'tandem_tickets',
      `select count(*)::int from tickets where organization_id = $1 and customer_email like $2`,
      [id, senders],
    );
    if (found!.count === count) return;
    if (Date.now() > deadline) throw new Error(`${found!.count} of ${count} emails have become tickets`);
  }
}

/**
 * Each rule that matches has run once on each ticket, and each ticket has what they do, once. Only some get the reply: after 60 new
 * tickets within 10 minutes, automatic replies stop (`confirmationLimits`), because the senders may be forged.
 */
async function check(system: BenchSystem, { id }: Organization): Promise<void> {
  const [found] = await system.query<Record<string, number>>(
    'tandem_tickets',
    `with mine as (select * from tickets where organization_id = $1 and customer_email like 'measured-%')
    select (select count(*) from rule_runs where organization_id = $1)::int as runs,
      (select count(distinct (rule_id, ticket_id)) from rule_runs where organization_id = $1)::int as different_runs,
      (select count(*) from mine where priority = 'high' and category = 'Billing')::int as changed,
      (select count(*) from ticket_tags g join mine on mine.id = g.ticket_id where g.tag = 'refund')::int as tagged,
      (select count(*) from comments c join mine on mine.id = c.ticket_id where c.is_internal)::int as notes,
      (select count(*) from comments c join mine on mine.id = c.ticket_id where not c.is_internal)::int
        + (select count(*) from rule_runs where organization_id = $1 and problem = 'no_automatic_reply')::int as replies`,
    [id],
  );
  const runs = emails * matching.length;
  const each = { runs, different_runs: runs, changed: emails, tagged: emails, notes: emails, replies: emails };
  expect('effects of rules', JSON.stringify(found), JSON.stringify(each));
}

/** Milliseconds per test of a rule over the latest 200 tickets, through the gateway. */
async function testRule({ gatewayOrigin }: BenchSystem, { people }: Organization): Promise<number[]> {
  const { headers } = await signIn(gatewayOrigin, people[0]!);
  const body = JSON.stringify({ rule: { name: 'Tested', triggers: ['ticket_created'], ...matching[0]! } });
  const times: number[] = [];
  for (let n = 0; n < tests; n++) {
    const begun = performance.now();
    const init = { method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' }, body };
    const { status, data } = await ask<{ tested: number }>(`${gatewayOrigin}/api/v1/rules/test`, init);
    times.push(performance.now() - begun);
    expect('test of a rule', [status, data.tested].join(), '200,200');
  }
  return times;
}

function report(bursts: (Burst & { name: string })[], testMs: number[]): Report {
  const [without, unmatched] = bursts.map(({ cpu }) => cpu.tickets) as [number, number];
  return {
    tables: [
      {
        title: `${emails.toLocaleString('en')} emails at once by SMTP over ${smtpConnections} connections. Goal: ${rules} rules cost at most 2 ms`,
        columns: ['organization', 'accepted', 'all are tickets', 'CPU of tickets per email', 'CPU of all', 'foreign CPU'],
        rows: bursts.map(({ name, acceptedMs, processedMs, cpu, foreign }) => [
          name,
          `${(acceptedMs / 1000).toFixed(1)} s`,
          `${(processedMs / 1000).toFixed(1)} s`,
          `${cpu.tickets.toFixed(2)} ms`,
          `${cpu.all.toFixed(2)} ms`,
          `${(100 * foreign).toFixed(0)} %`,
        ]),
      },
      {
        title: 'Rules',
        columns: ['work', 'measured', 'goal'],
        rows: [
          [`evaluating ${rules} rules, CPU of tickets per email`, `${(unmatched - without).toFixed(2)} ms`, '2 ms'],
          ['test of a rule over 200 tickets, p50', `${quantile(testMs, 0.5).toFixed(0)} ms`, ''],
          ['test of a rule over 200 tickets, slowest', `${Math.max(...testMs).toFixed(0)} ms`, '1,000 ms'],
        ],
      },
    ],
    figures: { emails, rules, bursts, testMs },
  };
}
