/** A mail of a ticket's conversation, theirs or ours. */
export interface ThreadMail {
  message_id: string;
  /** When it came, or went. */
  at: string;
  /** What it referred to itself, oldest first. */
  references?: string[];
}
export interface Thread {
  in_reply_to: string | null;
  references: string[];
}

/** As many as `References` names beside the first: mail programs need the beginning and the end of a conversation. */
const latestNamed = 20;
/** What a stranger's mail calls itself goes into a header of ours only when it can be nothing else. */
const messageId = /^<[\x21-\x3b\x3d\x3f-\x7e]{3,250}>$/;

/**
 * Where a mail stands in its conversation (RFC 5322, 3.6.4): it answers the latest mail that is known, and refers to all before it. Mail
 * programs put the conversation together by these. Nothing known: it begins one.
 */
export function threadOf(mails: ThreadMail[]): Thread {
  const known = mails.filter(({ message_id }) => messageId.test(message_id)).sort((a, b) => (a.at < b.at ? -1 : 1));
  const named = new Set<string>();
  for (const { message_id, references = [] } of known) {
    for (const each of references) if (messageId.test(each)) named.add(each);
    // A mail comes after what it refers to, also where that referred to it before.
    named.delete(message_id);
    named.add(message_id);
  }
  const all = [...named];
  return {
    in_reply_to: known.at(-1)?.message_id ?? null,
    references: all.length <= latestNamed + 1 ? all : [all[0]!, ...all.slice(-latestNamed)],
  };
}
