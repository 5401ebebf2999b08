import * as z from 'zod';

/**
 * The parts of Zammad's responses that are imported, with `expand=true`, as in its documentation (https://docs.zammad.org/en/latest/api/intro.html,
 * source: https://github.com/zammad/zammad-documentation/tree/main/api). Fields that some versions do not send are nullish.
 */

const Id = z.number().int().nonnegative();
const Time = z.iso.datetime({ offset: true });

/** A row whose other fields are checked one by one, so that one unreadable row does not fail the page. */
export const Row = z.looseObject({ id: Id });
export type Row = z.infer<typeof Row>;
export const Rows = z.array(Row);

export const Ticket = z.looseObject({
  id: Id,
  number: z.string(),
  title: z.string().nullish(),
  group: z.string().nullish(),
  state_id: Id,
  state: z.string().nullish(),
  priority_id: Id.nullish(),
  priority: z.string().nullish(),
  owner_id: Id.nullish(),
  customer_id: Id,
  /** The login, which often is an address of email. */
  customer: z.string().nullish(),
  create_article_type: z.string().nullish(),
  close_at: Time.nullish(),
  created_at: Time,
  updated_at: Time,
});
export type Ticket = z.infer<typeof Ticket>;

/** `state_type` is the name of the type with `expand=true`. */
export const State = z.object({ id: Id, name: z.string(), state_type: z.string().nullish(), state_type_id: Id.nullish() });
export type State = z.infer<typeof State>;
export const Priority = z.object({ id: Id, name: z.string() });

export const User = z.object({
  id: Id,
  login: z.string().nullish(),
  email: z.string().nullish(),
  firstname: z.string().nullish(),
  lastname: z.string().nullish(),
  roles: z.array(z.string()).nullish(),
  role_ids: z.array(Id).nullish(),
});

export const Attachment = z.object({
  id: Id,
  filename: z.string(),
  /** Bytes; text in most versions. */
  size: z.union([z.string(), z.number()]).nullish(),
  preferences: z.record(z.string(), z.unknown()).nullish(),
});

export const TicketArticle = z.object({
  id: Id,
  /** `Customer`, `Agent` or `System`. */
  sender: z.string().nullish(),
  /** `email`, `phone`, `note`, `web`, … */
  type: z.string().nullish(),
  internal: z.boolean().nullish(),
  from: z.string().nullish(),
  cc: z.string().nullish(),
  content_type: z.string().nullish(),
  body: z.string().nullish(),
  attachments: z.array(Attachment).nullish(),
  created_by_id: Id.nullish(),
  /** The person on whose behalf it was written. */
  origin_by_id: Id.nullish(),
  created_at: Time,
});
export type TicketArticle = z.infer<typeof TicketArticle>;

export const Tags = z.object({ tags: z.array(z.string()) });
export const Links = z.object({
  links: z.array(z.object({ link_type: z.string(), link_object: z.string(), link_object_value: z.coerce.number().int() })),
});

const assets = <T extends z.ZodType>(schema: T) => z.record(z.string(), schema).nullish();
export const AnswerTranslation = z.object({
  id: Id,
  title: z.string(),
  kb_locale_id: Id.nullish(),
  answer_id: Id,
  content_id: Id.nullish(),
  created_at: Time,
  updated_at: Time,
});
export const Answer = z.object({
  id: Id,
  category_id: Id,
  position: z.number().nullish(),
  archived_at: Time.nullish(),
  internal_at: Time.nullish(),
  published_at: Time.nullish(),
  translation_ids: z.array(Id).nullish(),
  attachments: z.array(z.object({ filename: z.string().nullish() })).nullish(),
  created_at: Time,
  updated_at: Time,
});
export type Answer = z.infer<typeof Answer>;
export type AnswerTranslation = z.infer<typeof AnswerTranslation>;

/** The response of `knowledge_bases/init`: records of each type by id. */
export const KnowledgeBase = z.object({
  KnowledgeBaseLocale: assets(z.object({ id: Id, primary: z.boolean().nullish(), system_locale_id: Id.nullish() })),
  KnowledgeBaseCategory: assets(
    z.object({ id: Id, knowledge_base_id: Id, position: z.number().nullish(), translation_ids: z.array(Id).nullish() }),
  ),
  KnowledgeBaseCategoryTranslation: assets(z.object({ id: Id, title: z.string(), category_id: Id, kb_locale_id: Id.nullish() })),
  KnowledgeBaseAnswer: assets(Answer),
  KnowledgeBaseAnswerTranslation: assets(AnswerTranslation),
});
export type KnowledgeBase = z.infer<typeof KnowledgeBase>;

export const AnswerWithContents = z.object({
  assets: z.object({ KnowledgeBaseAnswerTranslationContent: assets(z.object({ id: Id, body: z.string().nullish() })) }),
});
