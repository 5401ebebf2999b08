import type { AppDispatch } from '../../../app/store';
import { drafts } from './drafts';
import { outbox } from './outbox';
import { postBy } from './post';

/** Sends what a reload left unsent, on any page. */
export function resumeOutbox(user_id: string, dispatch: AppDispatch): void {
  drafts.belongTo(user_id);
  outbox.resume(user_id, postBy(dispatch));
}
