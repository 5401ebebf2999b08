import type { Cluster } from './cluster.ts';
import type { Load, LoadReport } from './load.ts';

/** Kills one replica after the other until `isDone`, and waits after each until it gets requests again. Returns their names, and when. */
export async function killReplicas(cluster: Cluster, load: Load, isDone: (kills: number) => boolean | Promise<boolean>): Promise<string[]> {
  const victims: string[] = [];
  while (!(await isDone(victims.length))) {
    const victim = cluster.replicas[victims.length % cluster.replicas.length]!;
    victims.push(`${victim.name} (${(load.elapsedMs / 1_000).toFixed(1)} s)`);
    await cluster.kill(victim);
    await load.rounds(2);
    await cluster.untilUp(victim);
  }
  return victims;
}

/** Texts of accepted writes that are not stored, and texts that are stored more than once. */
export async function compareStored(cluster: Cluster, { tickets, comments }: LoadReport): Promise<{ lost: string[]; twice: string[] }> {
  const count = async (table: string, column: string, texts: string[]) => {
    const rows = await cluster.rows<{ text: string; n: number }>(
      'tickets',
      `select ${column} as text, count(*)::int as n from ${table} where ${column} = any($1) group by 1`,
      [texts],
    );
    return new Map(rows.map(({ text, n }) => [text, n]));
  };
  const stored = new Map([...(await count('tickets', 'subject', tickets)), ...(await count('comments', 'content', comments))]);
  return {
    lost: [...tickets, ...comments].filter((text) => !stored.has(text)),
    twice: [...stored].flatMap(([text, n]) => (n > 1 ? [text] : [])),
  };
}

/** Resolves once the databases of all services agree, and no event, job or email is pending. Throws if they do not within ten minutes. */
export async function untilServicesAgree(cluster: Cluster): Promise<void> {
  await cluster.command('tandem', 'check', '--wait', '600');
}
