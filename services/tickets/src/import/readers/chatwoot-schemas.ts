import * as z from 'zod';

/**
 * The parts of Chatwoot's responses that are imported, as in its OpenAPI documents (https://developers.chatwoot.com/api-reference) and its
 * views (https://github.com/chatwoot/chatwoot/tree/develop/app/views/api/v1). Times are seconds since 1970. Fields that some versions do
 * not send are nullish.
 */

const Id = z.number().int().nonnegative();
const Seconds = z.number();
const Attributes = z.record(z.string(), z.unknown()).nullish();

export const Profile = z.object({
  account_id: Id.nullish(),
  accounts: z.array(z.object({ id: Id, role: z.string().nullish() })),
});

export const Agent = z.object({ id: Id, name: z.string().nullish(), email: z.string().nullish() });
export type Agent = z.infer<typeof Agent>;

export const Contact = z.object({ id: Id, name: z.string().nullish(), email: z.string().nullish() });

export const Conversation = z.object({
  /** The number that people see (`display_id`). */
  id: Id,
  status: z.string(),
  priority: z.string().nullish(),
  labels: z.array(z.string()).nullish(),
  custom_attributes: Attributes,
  additional_attributes: Attributes,
  created_at: Seconds.nullish(),
  updated_at: Seconds.nullish(),
  last_activity_at: Seconds.nullish(),
  timestamp: z.union([Seconds, z.string()]).nullish(),
  meta: z.object({
    sender: Contact.nullish(),
    channel: z.string().nullish(),
    assignee: Agent.nullish(),
    team: z.object({ name: z.string().nullish() }).nullish(),
  }),
});
export type Conversation = z.infer<typeof Conversation>;

/** A row whose other fields are checked one by one, so that one unreadable row does not fail the page. */
const Row = z.looseObject({ id: Id });
export type Row = z.infer<typeof Row>;

export const ConversationList = z.object({
  data: z.object({ meta: z.object({ all_count: z.number().nullish() }).nullish(), payload: z.array(Row) }),
});

export const Attachment = z.object({
  id: Id,
  /** `image`, `audio`, `video`, `file`: stored by Chatwoot. All others, such as `location` and `contact`, have no file. */
  file_type: z.string().nullish(),
  data_url: z.string().nullish(),
  file_size: z.number().int().nullish(),
  /** The name of a place, a person or a page. */
  fallback_title: z.string().nullish(),
  coordinates_lat: z.number().nullish(),
  coordinates_long: z.number().nullish(),
});
export type Attachment = z.infer<typeof Attachment>;

const Mail = z.object({
  cc: z.union([z.string(), z.array(z.string())]).nullish(),
  subject: z.string().nullish(),
  html_content: z.object({ full: z.string().nullish() }).nullish(),
  text_content: z.object({ full: z.string().nullish() }).nullish(),
});

export const Message = z.object({
  id: Id,
  content: z.string().nullish(),
  /** 0: from the contact; 1: from an agent or a bot; 2: an entry of the timeline; 3: from a template, such as a greeting. */
  message_type: z.number().int(),
  private: z.boolean().nullish(),
  created_at: Seconds,
  content_attributes: z
    .object({
      deleted: z.boolean().nullish(),
      email: Mail.nullish(),
      cc_emails: z.union([z.string(), z.array(z.string())]).nullish(),
    })
    .nullish(),
  sender: z.object({ id: Id.nullish(), name: z.string().nullish(), email: z.string().nullish(), type: z.string().nullish() }).nullish(),
  attachments: z.array(Attachment).nullish(),
});
export type Message = z.infer<typeof Message>;

export const Payload = z.object({ payload: z.array(Row) });
export const Agents = z.array(Agent);

export const Portal = z.object({ slug: z.string(), config: z.object({ default_locale: z.string().nullish() }).nullish() });
export const Category = z.object({
  id: Id,
  name: z.string(),
  description: z.string().nullish(),
  position: z.number().nullish(),
  locale: z.string().nullish(),
});
export const Article = z.object({
  id: Id,
  title: z.string(),
  description: z.string().nullish(),
  content: z.string().nullish(),
  /** `draft`, `published` or `archived`. */
  status: z.string().nullish(),
  locale: z.string().nullish(),
  category: z.object({ id: Id.nullish(), locale: z.string().nullish() }).nullish(),
  category_id: Id.nullish(),
  created_at: Seconds.nullish(),
  updated_at: Seconds.nullish(),
});
export type Article = z.infer<typeof Article>;
export type Category = z.infer<typeof Category>;
