import { accessChanged, type Context, type DataOf } from '@tandem/contracts';

/** Access tokens of this user with a lower version are no longer accepted. */
export type AccessChange = DataOf<typeof accessChanged>;

/** Set on the response of an operation that has changed a user's access: the gateway applies it before the client gets the response. */
export const accessHeader = 'x-tandem-access';

/** Keeps the header within 8 KB. Further changes in one request reach the gateway as events, as they do on its other replicas. */
const maxChanges = 150;

const changesByContext = new WeakMap<Context, AccessChange[]>();

/** Adds a change to the response of the operation that runs with `ctx`. It counts only if the operation succeeds. */
export function addAccessChange(ctx: Context, change: AccessChange): void {
  const changes = changesByContext.get(ctx);
  if (changes === undefined) changesByContext.set(ctx, [change]);
  else if (changes.length < maxChanges) changes.push(change);
}

/** The headers of a successful response; empty if no access has changed. */
export function accessHeaders(ctx: Context): Record<string, string> {
  const changes = changesByContext.get(ctx);
  if (changes === undefined) return {};
  return { [accessHeader]: changes.map(({ user_id, access_version }) => `${user_id}=${access_version}`).join(',') };
}

/** The changes in a response's header. */
export function accessChangesIn(headers: Record<string, string>): AccessChange[] {
  const pairs = headers[accessHeader]?.split(',') ?? [];
  return pairs.map((pair) => {
    const [user_id, version] = pair.split('=');
    return accessChanged.data.parse({ user_id, access_version: Number(version) });
  });
}
