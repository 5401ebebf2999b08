/** An email of a ticket's conversation, received or sent. */
export interface ThreadMail {
  message_id: string;
  /** When it was received or sent. */
  at: string;
  /** The emails in its own `References` header, oldest first. */
  references?: string[];
}
export interface Thread {
  in_reply_to: string | null;
  references: string[];
}

/**
 * `References` names the first email and at most this many of the latest: mail clients need the beginning and the end of a conversation.
 */
const maxReferences = 20;
/** A received Message-ID is repeated in our headers only if it is well-formed: nothing else may be injected. */
const messageId = /^<[\x21-\x3b\x3d\x3f-\x7e]{3,250}>$/;

/**
 * The threading headers of an email (RFC 5322, 3.6.4), by which mail clients group a conversation: it replies to the latest known email and
 * refers to all before it. Without known emails it starts a conversation.
 */
export function threadOf(mails: ThreadMail[]): Thread {
  const known = mails.filter(({ message_id }) => messageId.test(message_id)).sort((a, b) => (a.at < b.at ? -1 : 1));
  const named = new Set<string>();
  for (const { message_id, references = [] } of known) {
    for (const each of references) if (messageId.test(each)) named.add(each);
    // Moves an email behind the emails that it refers to, even if one of them has already named it.
    named.delete(message_id);
    named.add(message_id);
  }
  const all = [...named];
  return {
    in_reply_to: known.at(-1)?.message_id ?? null,
    references: all.length <= maxReferences + 1 ? all : [all[0]!, ...all.slice(-maxReferences)],
  };
}
