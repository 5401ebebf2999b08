// Written by `npm run docs` from the operations. Do not edit.
import type { PageList } from '../page-list';
import { Transport, type Call, type CreateOptions, type RequestOptions, type StreamedChange, type StreamOptions, type TandemOptions, type UpdateOptions } from '../transport';
import type { Activity, AddArticlePictureBody, AddComment, Analytics, AnalyticsByField, AnnounceAttachment, AnnounceAttachmentResult, Article, ArticleCategory, ArticleRating, ArticleSummary, ArticleVersion, Assignee, Attachment, BulkChange, BulkResult, Comment, CreateArticle, CreateArticleCategoryBody, CreateCustomField, CreateRule, CreateTicket, CustomField, Draft, DraftReplyBody, ExportAnalyticsQuery, ExportTicketsAsCsvQuery, HelpReport, LinkAttachmentResult, LinkTask, ListArticlesQuery, ListAssigneesQuery, ListChangesQuery, ListChangesResult, ListCommentsQuery, ListExportedTicketsQuery, ListExportedTicketsResult, ListTicketEmailsResult, ListTicketWebhookDeliveriesQuery, ListTicketsQuery, ListWebhookDeliveriesQuery, MergeTicketBody, OrderArticleCategoriesBody, Organization, PublishArticleBody, ReadAnalyticsByFieldQuery, ReadArticleVersionResult, ReadHelpReportQuery, ReadTicketTaskResult, ReadTimelineQuery, ReplayWebhooksBody, ReplayWebhooksResult, Rule, RuleRun, RuleTest, SnoozeTicketBody, StreamChangesQuery, Survey, TestRuleBody, TestWebhookEndpointBody, Ticket, TicketMetrics, TicketSla, TicketStats, TicketSummary, TicketTask, UpdateArticle, UpdateArticleCategoryBody, UpdateCustomField, UpdateOrganization, UpdateRule, UpdateTicket, UpdateWebhookEndpoint, UpdateWebhookReplayBody, View, WebhookDelivery, WebhookDeliveryDetails, WebhookEndpoint, WebhookReplay } from './types';

export class AnalyticsApi {
  constructor(private readonly transport: Transport) {}

  /** The tickets of a range with their metrics as a CSV file, one line each, oldest first. Permission: `analytics:read`. */
  exportCsv(query: ExportAnalyticsQuery = {}, options?: RequestOptions): Promise<string> {
    return this.transport.text({ method: 'GET', path: '/analytics/export.csv', query }, options);
  }

  /** The tickets of a range with their metrics, oldest first, in pages. Permission: `analytics:read`. */
  tickets(query: ListExportedTicketsQuery = {}, options?: RequestOptions): Promise<ListExportedTicketsResult> {
    return this.transport.call({ method: 'GET', path: '/analytics/tickets', query }, options);
  }

  /** The figures of the tickets created in a range, compared with the preceding period of the same length. Permission: `analytics:read`. */
  read(query: ExportAnalyticsQuery = {}, options?: RequestOptions): Promise<Analytics> {
    return this.transport.call({ method: 'GET', path: '/analytics', query }, options);
  }

  /** The tickets created in a range by the value of a custom field. No ticket has a value of a field that does not exist. Permission: `analytics:read`. */
  byField(query: ReadAnalyticsByFieldQuery, options?: RequestOptions): Promise<AnalyticsByField> {
    return this.transport.call({ method: 'GET', path: '/analytics/by-field', query }, options);
  }

  /** How the help pages are used: views, ratings, searches without a result, and questions that an article solved. Permission: `analytics:read`. */
  readHelp(query: ReadHelpReportQuery, options?: RequestOptions): Promise<HelpReport> {
    return this.transport.call({ method: 'GET', path: '/help-report', query }, options);
  }
}

export class TicketsApi {
  constructor(private readonly transport: Transport) {}

  /** The metrics of one ticket, as the analytics count it. Permission: `tickets:read`. */
  metrics(id: string, options?: RequestOptions): Promise<TicketMetrics> {
    return this.transport.call({ method: 'GET', path: `/tickets/${encodeURIComponent(id)}/metrics` }, options);
  }

  /** Counts for the dashboard. Permission: `tickets:read`. */
  stats(options?: RequestOptions): Promise<TicketStats> {
    return this.transport.call({ method: 'GET', path: '/tickets/stats' }, options);
  }

  /** The latest 50 emails to the customer of a ticket with their delivery states, and whether the address bounces. Permission: `tickets:read`. */
  emails(id: string, options?: RequestOptions): Promise<ListTicketEmailsResult> {
    return this.transport.call({ method: 'GET', path: `/tickets/${encodeURIComponent(id)}/emails` }, options);
  }

  /** Download the tickets of a list as CSV, at most 100,000, in the order of the list. Permission: `tickets:read`. */
  exportCsv(query: ExportTicketsAsCsvQuery = {}, options?: RequestOptions): Promise<string> {
    return this.transport.text({ method: 'GET', path: '/tickets.csv', query }, options);
  }

  /** Read the timers of a ticket and why they are paused; null without a policy. Permission: `tickets:read`. */
  sla(id: string, options?: RequestOptions): Promise<TicketSla | null> {
    return this.transport.call({ method: 'GET', path: `/tickets/${encodeURIComponent(id)}/sla` }, options);
  }

  /** Snooze an open ticket until a time or until the customer replies, whichever is first. Its timers keep running; `snoozed=false` leaves it out of lists. Permission: `tickets:write`. */
  snooze(id: string, body: SnoozeTicketBody, options?: RequestOptions): Promise<Ticket> {
    return this.transport.call({ method: 'PUT', path: `/tickets/${encodeURIComponent(id)}/snooze`, body }, options);
  }

  /** End the snooze of a ticket. Permission: `tickets:write`. */
  wake(id: string, options?: RequestOptions): Promise<Ticket> {
    return this.transport.call({ method: 'DELETE', path: `/tickets/${encodeURIComponent(id)}/snooze` }, options);
  }

  /** The customer’s rating of a ticket; null until submitted. Permission: `tickets:read`. */
  survey(id: string, options?: RequestOptions): Promise<Survey | null> {
    return this.transport.call({ method: 'GET', path: `/tickets/${encodeURIComponent(id)}/survey` }, options);
  }

  /** Apply the same change to up to 100 tickets; the response contains the result of each. Permission: `tickets:write`. */
  updateMany(body: BulkChange, options?: RequestOptions): Promise<BulkResult[]> {
    return this.transport.call({ method: 'POST', path: '/tickets/bulk', body }, options);
  }

  /** Create a ticket for a customer. Permission: `tickets:write`. */
  create(body: CreateTicket, options?: CreateOptions): Promise<Ticket> {
    return this.transport.call({ method: 'POST', path: '/tickets', body, idempotent: true }, options);
  }

  /** List the active members that tickets can be assigned to, by email address. Permission: `tickets:read`. */
  assignees(query: ListAssigneesQuery = {}, options?: RequestOptions): PageList<Assignee> {
    return this.transport.list({ method: 'GET', path: '/assignees', query }, options);
  }

  /** List tickets, filtered, searched and sorted. A search counts at most 1,000 matches; unless sorted by age, it sorts the 1,000 newest matches. Permission: `tickets:read`. */
  list(query: ListTicketsQuery = {}, options?: RequestOptions): PageList<TicketSummary> {
    return this.transport.list({ method: 'GET', path: '/tickets', query }, options);
  }

  /** Merge a duplicate into another ticket of the same customer: moves its conversation and closes it. Permission: `tickets:write`. */
  merge(id: string, body: MergeTicketBody, options?: RequestOptions): Promise<Ticket> {
    return this.transport.call({ method: 'POST', path: `/tickets/${encodeURIComponent(id)}/merge`, body }, options);
  }

  /** Read a ticket with all fields. Permission: `tickets:read`. */
  get(id: string, options?: RequestOptions): Promise<Ticket> {
    return this.transport.call({ method: 'GET', path: `/tickets/${encodeURIComponent(id)}` }, options);
  }

  /** Change fields of a ticket; with `If-Match` only if the version still matches. Permission: `tickets:write`. */
  update(id: string, body: UpdateTicket, options?: UpdateOptions): Promise<Ticket> {
    return this.transport.call({ method: 'PATCH', path: `/tickets/${encodeURIComponent(id)}`, body, idempotent: true }, options);
  }

  /** List the changes of a ticket with their actors, the latest first. Permission: `tickets:read`. */
  timeline(id: string, query: ReadTimelineQuery = {}, options?: RequestOptions): PageList<Activity> {
    return this.transport.list({ method: 'GET', path: `/tickets/${encodeURIComponent(id)}/timeline`, query }, options);
  }

  /** List the deliveries of a ticket’s events to all endpoints, the latest first. Permission: `webhooks:manage`. */
  webhookDeliveries(id: string, query: ListTicketWebhookDeliveriesQuery = {}, options?: RequestOptions): PageList<WebhookDelivery> {
    return this.transport.list({ method: 'GET', path: `/tickets/${encodeURIComponent(id)}/webhook-deliveries`, query }, options);
  }
}

export class AttachmentsApi {
  constructor(private readonly transport: Transport) {}

  /** Announce a file; the response contains the upload URL. Permission: `tickets:write`. */
  announce(body: AnnounceAttachment, options?: RequestOptions): Promise<AnnounceAttachmentResult> {
    return this.transport.call({ method: 'POST', path: '/attachments', body }, options);
  }

  /** Create a signed URL that allows a file to be downloaded for a few minutes. Permission: `tickets:read`. */
  link(id: string, options?: RequestOptions): Promise<LinkAttachmentResult> {
    return this.transport.call({ method: 'POST', path: `/attachments/${encodeURIComponent(id)}/link` }, options);
  }

  /** List the files of a ticket’s description. Permission: `tickets:read`. */
  list(id: string, options?: RequestOptions): Promise<Attachment[]> {
    return this.transport.call({ method: 'GET', path: `/tickets/${encodeURIComponent(id)}/attachments` }, options);
  }
}

export class CommentsApi {
  constructor(private readonly transport: Transport) {}

  /** Reply to the customer or add an internal note. Permission: `tickets:write`. */
  create(id: string, body: AddComment, options?: CreateOptions): Promise<Comment> {
    return this.transport.call({ method: 'POST', path: `/tickets/${encodeURIComponent(id)}/comments`, body, idempotent: true }, options);
  }

  /** Save a reply as the draft of a member, who reads and sends it. Replaces only what the same token drafted and the member has not changed. Permission: `tickets:write`. */
  draft(id: string, userId: string, body: DraftReplyBody, options?: CreateOptions): Promise<Draft> {
    return this.transport.call({ method: 'PUT', path: `/tickets/${encodeURIComponent(id)}/drafts/${encodeURIComponent(userId)}`, body, idempotent: true }, options);
  }

  /** The conversation with internal notes, oldest first by default. Permission: `tickets:read`. */
  list(id: string, query: ListCommentsQuery = {}, options?: RequestOptions): PageList<Comment> {
    return this.transport.list({ method: 'GET', path: `/tickets/${encodeURIComponent(id)}/comments`, query }, options);
  }
}

export class OrganizationsApi {
  constructor(private readonly transport: Transport) {}

  /** Read the organization of the caller. Permission: `organization:read`. */
  get(id: string, options?: RequestOptions): Promise<Organization> {
    return this.transport.call({ method: 'GET', path: `/organizations/${encodeURIComponent(id)}` }, options);
  }

  /** Change the name, the subdomain or the settings of the organization. Permission: `organization:write`. */
  update(id: string, body: UpdateOrganization, options?: RequestOptions): Promise<Organization> {
    return this.transport.call({ method: 'PATCH', path: `/organizations/${encodeURIComponent(id)}`, body }, options);
  }
}

export class ArticlesApi {
  constructor(private readonly transport: Transport) {}

  /** Add an uploaded picture to an article, whose text shows it by its file name. Permission: `articles:write`. */
  addPicture(id: string, body: AddArticlePictureBody, options?: RequestOptions): Promise<Attachment> {
    return this.transport.call({ method: 'POST', path: `/articles/${encodeURIComponent(id)}/pictures`, body }, options);
  }

  /** Create an article as a draft. Permission: `articles:write`. */
  create(body: CreateArticle, options?: CreateOptions): Promise<Article> {
    return this.transport.call({ method: 'POST', path: '/articles', body, idempotent: true }, options);
  }

  /** Delete an article. It can be restored for 30 days. Permission: `articles:write`. */
  delete(id: string, options?: RequestOptions): Promise<Record<string, never>> {
    return this.transport.call({ method: 'DELETE', path: `/articles/${encodeURIComponent(id)}` }, options);
  }

  /** Create an internal draft of an article from a ticket: its question, and the replies of the team. Permission: `articles:write`. */
  createFromTicket(id: string, options?: CreateOptions): Promise<Article> {
    return this.transport.call({ method: 'POST', path: `/tickets/${encodeURIComponent(id)}/article`, idempotent: true }, options);
  }

  /** List what readers answered to “Did this help?” with a remark, newest first. Permission: `articles:read`. */
  listRatings(id: string, query: ReadTimelineQuery = {}, options?: RequestOptions): PageList<ArticleRating> {
    return this.transport.list({ method: 'GET', path: `/articles/${encodeURIComponent(id)}/ratings`, query }, options);
  }

  /** List the versions of an article, the latest first, without their texts. The latest 100 are kept. Permission: `articles:read`. */
  listVersions(id: string, options?: RequestOptions): Promise<ArticleVersion[]> {
    return this.transport.call({ method: 'GET', path: `/articles/${encodeURIComponent(id)}/versions` }, options);
  }

  /** List or search articles, without their texts. Permission: `articles:read`. */
  list(query: ListArticlesQuery = {}, options?: RequestOptions): PageList<ArticleSummary> {
    return this.transport.list({ method: 'GET', path: '/articles', query }, options);
  }

  /** Publish the draft of an article as its next version. Permission: `articles:write`. */
  publish(id: string, body: PublishArticleBody, options?: RequestOptions): Promise<Article> {
    return this.transport.call({ method: 'POST', path: `/articles/${encodeURIComponent(id)}/publish`, body }, options);
  }

  /** Read an article with the text of its draft. Permission: `articles:read`. */
  read(id: string, options?: RequestOptions): Promise<Article> {
    return this.transport.call({ method: 'GET', path: `/articles/${encodeURIComponent(id)}` }, options);
  }

  /** Read one version of an article. Permission: `articles:read`. */
  readVersion(id: string, number: string, options?: RequestOptions): Promise<ReadArticleVersionResult> {
    return this.transport.call({ method: 'GET', path: `/articles/${encodeURIComponent(id)}/versions/${encodeURIComponent(number)}` }, options);
  }

  /** Restore a deleted article as it was: published if it was published. Permission: `articles:write`. */
  restore(id: string, options?: RequestOptions): Promise<Article> {
    return this.transport.call({ method: 'POST', path: `/articles/${encodeURIComponent(id)}/restore` }, options);
  }

  /** Take an article off the help pages. Its versions stay. Permission: `articles:write`. */
  unpublish(id: string, options?: RequestOptions): Promise<Article> {
    return this.transport.call({ method: 'POST', path: `/articles/${encodeURIComponent(id)}/unpublish` }, options);
  }

  /** Change the draft of an article, or its place. Readers see a new text once it is published, a new place immediately. Permission: `articles:write`. */
  update(id: string, body: UpdateArticle, options?: UpdateOptions): Promise<Article> {
    return this.transport.call({ method: 'PATCH', path: `/articles/${encodeURIComponent(id)}`, body }, options);
  }
}

export class ArticleCategoriesApi {
  constructor(private readonly transport: Transport) {}

  /** Add a category of articles after the existing ones. Permission: `articles:write`. */
  create(body: CreateArticleCategoryBody, options?: CreateOptions): Promise<ArticleCategory> {
    return this.transport.call({ method: 'POST', path: '/article-categories', body, idempotent: true }, options);
  }

  /** Delete a category. Its articles stay, without a category. Permission: `articles:write`. */
  delete(id: string, options?: RequestOptions): Promise<Record<string, never>> {
    return this.transport.call({ method: 'DELETE', path: `/article-categories/${encodeURIComponent(id)}` }, options);
  }

  /** List the categories of articles in their order. Permission: `articles:read`. */
  list(options?: RequestOptions): Promise<ArticleCategory[]> {
    return this.transport.call({ method: 'GET', path: '/article-categories' }, options);
  }

  /** Set the order of all categories of articles. Permission: `articles:write`. */
  order(body: OrderArticleCategoriesBody, options?: RequestOptions): Promise<ArticleCategory[]> {
    return this.transport.call({ method: 'PUT', path: '/article-categories/order', body }, options);
  }

  /** Change a category of articles. Permission: `articles:write`. */
  update(id: string, body: UpdateArticleCategoryBody, options?: RequestOptions): Promise<ArticleCategory> {
    return this.transport.call({ method: 'PATCH', path: `/article-categories/${encodeURIComponent(id)}`, body }, options);
  }
}

export class CustomFieldsApi {
  constructor(private readonly transport: Transport) {}

  /** Add a custom field after the existing ones. Permission: `organization:write`. */
  create(body: CreateCustomField, options?: CreateOptions): Promise<CustomField> {
    return this.transport.call({ method: 'POST', path: '/custom-fields', body, idempotent: true }, options);
  }

  /** Delete a custom field. It and its values can be restored for 30 days. Rules that use it are turned off. Permission: `organization:write`. */
  delete(id: string, options?: RequestOptions): Promise<Record<string, never>> {
    return this.transport.call({ method: 'DELETE', path: `/custom-fields/${encodeURIComponent(id)}` }, options);
  }

  /** List the custom fields in their order, then the deleted ones that can be restored. Permission: `tickets:read`. */
  list(options?: RequestOptions): Promise<CustomField[]> {
    return this.transport.call({ method: 'GET', path: '/custom-fields' }, options);
  }

  /** Set the order of all custom fields. Permission: `organization:write`. */
  order(body: OrderArticleCategoriesBody, options?: RequestOptions): Promise<CustomField[]> {
    return this.transport.call({ method: 'PUT', path: '/custom-fields/order', body }, options);
  }

  /** Restore a deleted custom field with its values, after the existing ones. Permission: `organization:write`. */
  restore(id: string, options?: RequestOptions): Promise<CustomField> {
    return this.transport.call({ method: 'POST', path: `/custom-fields/${encodeURIComponent(id)}/restore` }, options);
  }

  /** Change a custom field. Its key and its type stay. Permission: `organization:write`. */
  update(id: string, body: UpdateCustomField, options?: RequestOptions): Promise<CustomField> {
    return this.transport.call({ method: 'PATCH', path: `/custom-fields/${encodeURIComponent(id)}`, body }, options);
  }
}

export class RulesApi {
  constructor(private readonly transport: Transport) {}

  /** Add a rule after the existing ones. Permission: `organization:write`. */
  create(body: CreateRule, options?: CreateOptions): Promise<Rule> {
    return this.transport.call({ method: 'POST', path: '/rules', body, idempotent: true }, options);
  }

  /** Remove a rule. Permission: `organization:write`. */
  delete(id: string, options?: RequestOptions): Promise<Record<string, never>> {
    return this.transport.call({ method: 'DELETE', path: `/rules/${encodeURIComponent(id)}` }, options);
  }

  /** List the runs of a rule in the last 30 days, the newest first. Permission: `organization:read`. */
  runs(id: string, query: ReadTimelineQuery = {}, options?: RequestOptions): PageList<RuleRun> {
    return this.transport.list({ method: 'GET', path: `/rules/${encodeURIComponent(id)}/runs`, query }, options);
  }

  /** List the rules in the order in which they run. Permission: `organization:read`. */
  list(options?: RequestOptions): Promise<Rule[]> {
    return this.transport.call({ method: 'GET', path: '/rules' }, options);
  }

  /** Set the order of all rules. Permission: `organization:write`. */
  order(body: OrderArticleCategoriesBody, options?: RequestOptions): Promise<Rule[]> {
    return this.transport.call({ method: 'PUT', path: '/rules/order', body }, options);
  }

  /** Evaluate a rule for the latest 200 tickets without changing anything. Permission: `organization:write`. */
  test(body: TestRuleBody, options?: RequestOptions): Promise<RuleTest> {
    return this.transport.call({ method: 'POST', path: '/rules/test', body }, options);
  }

  /** Change a rule, or turn it on or off. Permission: `organization:write`. */
  update(id: string, body: UpdateRule, options?: RequestOptions): Promise<Rule> {
    return this.transport.call({ method: 'PATCH', path: `/rules/${encodeURIComponent(id)}`, body }, options);
  }
}

export class TasksApi {
  constructor(private readonly transport: Transport) {}

  /** Create a task for a ticket, or link it to an existing one. Permission: `tickets:write`. */
  link(id: string, body: LinkTask, options?: CreateOptions): Promise<TicketTask> {
    return this.transport.call({ method: 'POST', path: `/tickets/${encodeURIComponent(id)}/task`, body, idempotent: true }, options);
  }

  /** Read the task of a ticket with its sync state, and the integrations that can create one. Permission: `tickets:read`. */
  get(id: string, options?: RequestOptions): Promise<ReadTicketTaskResult> {
    return this.transport.call({ method: 'GET', path: `/tickets/${encodeURIComponent(id)}/task` }, options);
  }

  /** Unlink a ticket from its task; both are unchanged, and no new task is created automatically. Permission: `tickets:write`. */
  unlink(id: string, options?: RequestOptions): Promise<Record<string, never>> {
    return this.transport.call({ method: 'DELETE', path: `/tickets/${encodeURIComponent(id)}/task` }, options);
  }
}

export class ViewsApi {
  constructor(private readonly transport: Transport) {}

  /** List your own views and shared ones, by name. Permission: `tickets:read`. */
  list(options?: RequestOptions): Promise<View[]> {
    return this.transport.call({ method: 'GET', path: '/views' }, options);
  }
}

export class WebhooksApi {
  constructor(private readonly transport: Transport) {}

  /** Delete a webhook endpoint. Its pending deliveries are cancelled. Permission: `webhooks:manage`. */
  delete(id: string, options?: RequestOptions): Promise<Record<string, never>> {
    return this.transport.call({ method: 'DELETE', path: `/webhook-endpoints/${encodeURIComponent(id)}` }, options);
  }

  /** List the deliveries to an endpoint in the last 30 days, the latest first. Permission: `webhooks:manage`. */
  deliveries(id: string, query: ListWebhookDeliveriesQuery = {}, options?: RequestOptions): PageList<WebhookDelivery> {
    return this.transport.list({ method: 'GET', path: `/webhook-endpoints/${encodeURIComponent(id)}/deliveries`, query }, options);
  }

  /** List the webhook endpoints with the health of their last 24 hours. Permission: `webhooks:manage`. */
  list(options?: RequestOptions): Promise<WebhookEndpoint[]> {
    return this.transport.call({ method: 'GET', path: '/webhook-endpoints' }, options);
  }

  /** The replays of an endpoint with their progress, the latest first. Permission: `webhooks:manage`. */
  replays(id: string, options?: RequestOptions): Promise<WebhookReplay[]> {
    return this.transport.call({ method: 'GET', path: `/webhook-endpoints/${encodeURIComponent(id)}/replays` }, options);
  }

  /** One delivery with its body and every attempt. Permission: `webhooks:manage`. */
  delivery(id: string, options?: RequestOptions): Promise<WebhookDeliveryDetails> {
    return this.transport.call({ method: 'GET', path: `/webhook-deliveries/${encodeURIComponent(id)}` }, options);
  }

  /** Send up to 100 deliveries again, each with the same event id. Unknown ids change nothing and return 404. Permission: `webhooks:manage`. */
  redeliver(body: OrderArticleCategoriesBody, options?: CreateOptions): Promise<WebhookDelivery[]> {
    return this.transport.call({ method: 'POST', path: '/webhook-deliveries/redeliver', body, idempotent: true }, options);
  }

  /** Send events again that happened in a period of at most 30 days: those that never arrived (`missed`), whose delivery failed, or all. `dry_run` only counts. Permission: `webhooks:manage`. */
  replay(id: string, body: ReplayWebhooksBody, options?: CreateOptions): Promise<ReplayWebhooksResult> {
    return this.transport.call({ method: 'POST', path: `/webhook-endpoints/${encodeURIComponent(id)}/replay`, body, idempotent: true }, options);
  }

  /** Send a realistic sample of an event to the endpoint, even while it is paused or disabled. Permission: `webhooks:manage`. */
  test(id: string, body: TestWebhookEndpointBody = {}, options?: RequestOptions): Promise<WebhookDelivery> {
    return this.transport.call({ method: 'POST', path: `/webhook-endpoints/${encodeURIComponent(id)}/test`, body }, options);
  }

  /** Change, pause or resume a webhook endpoint. Permission: `webhooks:manage`. */
  update(id: string, body: UpdateWebhookEndpoint, options?: RequestOptions): Promise<WebhookEndpoint> {
    return this.transport.call({ method: 'PATCH', path: `/webhook-endpoints/${encodeURIComponent(id)}`, body }, options);
  }

  /** Pause, continue or cancel a replay. Permission: `webhooks:manage`. */
  updateReplay(id: string, body: UpdateWebhookReplayBody, options?: RequestOptions): Promise<WebhookReplay> {
    return this.transport.call({ method: 'PATCH', path: `/webhook-replays/${encodeURIComponent(id)}`, body }, options);
  }
}

export class ChangesApi {
  constructor(private readonly transport: Transport) {}

  /** The public events of the organization’s tickets of the last 30 days in a fixed order, for clients that cannot receive webhooks. Permission: `tickets:read`. */
  list(query: ListChangesQuery = {}, options?: RequestOptions): Promise<ListChangesResult> {
    return this.transport.call({ method: 'GET', path: '/changes', query }, options);
  }

  /** The same events as server-sent events, as they happen. The id of each is the value for `after`. Permission: `tickets:read`. */
  stream(query: StreamChangesQuery = {}, options?: StreamOptions): AsyncGenerator<StreamedChange, void, undefined> {
    return this.transport.stream({ method: 'GET', path: '/changes/stream', query }, options);
  }
}

/** The API of one organization. */
export class Tandem {
  readonly analytics: AnalyticsApi;
  readonly tickets: TicketsApi;
  readonly attachments: AttachmentsApi;
  readonly comments: CommentsApi;
  readonly organizations: OrganizationsApi;
  readonly articles: ArticlesApi;
  readonly articleCategories: ArticleCategoriesApi;
  readonly customFields: CustomFieldsApi;
  readonly rules: RulesApi;
  readonly tasks: TasksApi;
  readonly views: ViewsApi;
  readonly webhooks: WebhooksApi;
  readonly changes: ChangesApi;
  private readonly transport: Transport;

  constructor(options: TandemOptions) {
    this.transport = new Transport(options);
    this.analytics = new AnalyticsApi(this.transport);
    this.tickets = new TicketsApi(this.transport);
    this.attachments = new AttachmentsApi(this.transport);
    this.comments = new CommentsApi(this.transport);
    this.organizations = new OrganizationsApi(this.transport);
    this.articles = new ArticlesApi(this.transport);
    this.articleCategories = new ArticleCategoriesApi(this.transport);
    this.customFields = new CustomFieldsApi(this.transport);
    this.rules = new RulesApi(this.transport);
    this.tasks = new TasksApi(this.transport);
    this.views = new ViewsApi(this.transport);
    this.webhooks = new WebhooksApi(this.transport);
    this.changes = new ChangesApi(this.transport);
  }

  /** Any request to the API; returns the body of the response. */
  request(call: Call, options?: UpdateOptions): Promise<unknown> {
    return this.transport.raw(call, options);
  }
}
