import { AppError, Id, listAssignees, type Assignee } from '@tandem/contracts';
import * as z from 'zod';
import { nameOf } from './texts';
import { maxItems, type ToolContext } from './tool';

export const memberReference = z.string().trim().min(1).max(200);

/**
 * The member that a name, an address or an id identifies. Throws `assignee.not_a_member`, naming the input `path`, for none and for
 * several. The owner of the operation checks an id.
 */
export async function findMember({ call, untrusted }: ToolContext, reference: string, path: string): Promise<Pick<Assignee, 'user_id'>> {
  const id = Id.safeParse(reference);
  if (id.success) return { user_id: id.data };
  const { items } = await call(listAssignees, { query: { search: reference, limit: maxItems } });
  const wanted = reference.toLowerCase();
  const exact = items.filter((member) => [member.email, nameOf(member)].some((each) => each.toLowerCase() === wanted));
  const [found, ...others] = exact.length > 0 ? exact : items;
  if (found !== undefined && others.length === 0) return found;
  const candidates = items.map((member) => untrusted(`${nameOf(member)}, ${member.email}`)).join('; ');
  const message = found === undefined ? 'No active member has this name or address' : `Name one of these by address: ${candidates}`;
  throw new AppError('assignee.not_a_member', { fields: [{ path, code: 'not_a_member', message }] });
}
