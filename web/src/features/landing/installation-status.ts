/** The parts of an installation, by names that visitors know, with the checks of the gateway's `GET /health/ready` that each part needs. */
const parts: { name: string; needs: string[] }[] = [
  { name: 'Sign-in and accounts', needs: ['identity'] },
  { name: 'Tickets, customer portal and API', needs: ['tickets'] },
  { name: 'Emails, notifications and webhooks', needs: ['notifications', 'redis', 'nats'] },
  { name: 'Sync with task tools', needs: ['integrations', 'redis', 'nats'] },
  { name: 'Analytics', needs: ['analytics', 'nats'] },
  { name: 'Live updates', needs: ['nats'] },
];

export interface Status {
  summary: string;
  /** `isUp` is null until the gateway has responded. */
  parts: { name: string; isUp: boolean | null }[];
}

/** Shown until the gateway has responded: the same rows, so that nothing moves. */
export const checking: Status = { summary: 'Checking…', parts: parts.map(({ name }) => ({ name, isUp: null })) };

/** Derives the status from the gateway's response. `undefined` means that there was none, so nothing works. */
export function statusOf(checks: Record<string, string> | undefined): Status {
  const shown = parts.map(({ name, needs }) => ({ name, isUp: checks !== undefined && needs.every((need) => checks[need] === 'ok') }));
  const down = shown.filter(({ isUp }) => !isUp).length;
  const summary = down === 0 ? 'Everything works' : down === shown.length ? 'Tandem can’t be reached' : 'Some parts are not available';
  return { summary, parts: shown };
}

/** Requests the status from the gateway. An aborted or failed request counts as no answer. */
export async function readStatus(signal: AbortSignal): Promise<Status> {
  try {
    const response = await fetch('/health/ready', { signal });
    const { checks } = (await response.json()) as { checks?: Record<string, string> };
    return statusOf(checks);
  } catch {
    return statusOf(undefined);
  }
}
