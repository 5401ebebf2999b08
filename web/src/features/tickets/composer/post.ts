import type { AppDispatch } from '../../../app/store';
import { conversationApi } from '../conversation/conversation.api';
import type { Post } from './outbox';

/** Sends through the store rather than a component, because the user may leave the page in the meantime. */
export const postBy =
  (dispatch: AppDispatch): Post =>
  ({ ticket_id, ticket_number, text, is_internal, mentions, uploads, last_seen_comment_id, changes, key }, keepalive) =>
    dispatch(
      // Not tracked: no component reads the state of the call, and the store would keep it forever.
      conversationApi.endpoints.addComment.initiate(
        {
          ticket_id,
          content: text.trim(),
          is_internal,
          mentions: [...new Set(mentions.map(({ user_id }) => user_id))],
          attachment_ids: uploads.flatMap(({ id }) => id ?? []),
          changes,
          key,
          label: `${is_internal ? 'Note on' : 'Reply to'} ${ticket_number}`,
          ...(last_seen_comment_id === undefined ? {} : { last_seen_comment_id }),
          ...(keepalive ? { keepalive } : {}),
        },
        { track: false },
      ),
    );
