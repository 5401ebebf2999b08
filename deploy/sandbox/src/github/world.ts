import { createHmac, randomUUID } from 'node:crypto';
import { Deliveries, type DeliveryRules } from '../deliveries';
import { commentShape, issueShape, repositoryShape, userShape } from './shapes';
import { type Comment, GitHubError, type Hook, type Issue, notFound, type Repository, type User } from './state';

export interface IssueInput {
  title?: string;
  body?: string | null;
  labels?: string[];
  state?: 'open' | 'closed';
  state_reason?: 'completed' | 'not_planned' | 'reopened' | null;
}

/** Changes of issues, by the API and by people alike: each change is sent to the repository's webhooks. */
export class World {
  readonly users: User[] = [
    { id: 1001, login: 'tandem-bot' },
    { id: 1002, login: 'priya' },
    { id: 2001, login: 'northwind' },
  ];
  readonly repositories: Repository[] = [
    { id: 700_001, name: 'support', owner_id: 2001, labels: [] },
    { id: 700_002, name: 'website', owner_id: 2001, labels: [] },
    { id: 700_003, name: 'notes', owner_id: 1001, labels: [] },
  ];
  readonly issues: Issue[] = [];
  readonly comments: Comment[] = [];
  readonly hooks: Hook[] = [];
  readonly deliveries: Deliveries;
  private lastId = 5_000_000;

  constructor(
    rules: DeliveryRules,
    readonly now: () => number,
  ) {
    const hook = (id: string) => this.hooks.find((each) => String(each.id) === id);
    this.deliveries = new Deliveries(rules, {
      wanted: ({ webhook_id }) => hook(webhook_id)?.active ?? false,
      // GitHub makes one attempt and never disables a webhook.
      answered: ({ webhook_id }, status) => {
        const answered = hook(webhook_id);
        if (answered) answered.last_code = status ?? 502;
        return 'stop';
      },
      failed: () => undefined,
    });
  }

  user(id: number): User {
    const user = this.users.find((each) => each.id === id);
    if (!user) throw notFound();
    return user;
  }

  repository(id: number): Repository {
    const repository = this.repositories.find((each) => each.id === id);
    if (!repository) throw notFound();
    return repository;
  }

  /** By repository id and issue number. */
  issue(repository_id: number, number: number): Issue {
    this.repository(repository_id);
    const issue = this.issues.find((each) => each.repository_id === repository_id && each.number === number);
    if (!issue) throw notFound();
    if (issue.gone === 'deleted') throw new GitHubError(410, 'This issue was deleted');
    if (issue.gone === 'transferred') throw new GitHubError(301, 'Moved Permanently');
    return issue;
  }

  issuesOf(repository_id: number): Issue[] {
    return this.issues.filter((issue) => issue.repository_id === repository_id && !issue.gone);
  }

  commentsOf({ repository_id, number }: Issue): Comment[] {
    return this.comments.filter((comment) => comment.repository_id === repository_id && comment.number === number);
  }

  create(repository_id: number, input: IssueInput, by: User, is_pull_request = false): Issue {
    const repository = this.repository(repository_id);
    const at = this.now();
    const issue: Issue = {
      repository_id,
      number: this.issues.filter((each) => each.repository_id === repository_id).length + 1,
      title: input.title ?? '',
      body: input.body || null,
      state: 'open',
      state_reason: null,
      labels: [...new Set((input.labels ?? []).map((name) => this.labelIn(repository, name)))],
      user_id: by.id,
      is_pull_request,
      created_at: at,
      updated_at: at,
      gone: null,
    };
    this.issues.push(issue);
    this.publishIssue(issue, 'opened', by);
    return issue;
  }

  change(issue: Issue, input: IssueInput, by: User): Issue {
    const { title, body, state, state_reason } = input;
    const changes = {
      ...(title !== undefined && title !== issue.title ? { title: { from: issue.title } } : {}),
      ...(body !== undefined && (body || null) !== issue.body ? { body: { from: issue.body ?? '' } } : {}),
    };
    const closes = state === 'closed' && issue.state === 'open';
    const opens = state === 'open' && issue.state === 'closed';
    if (title !== undefined) issue.title = title;
    if (body !== undefined) issue.body = body || null;
    if (state === 'closed') issue.state_reason = state_reason ?? (closes ? 'completed' : issue.state_reason);
    if (opens) issue.state_reason = 'reopened';
    if (state) issue.state = state;
    issue.updated_at = this.now();
    if (Object.keys(changes).length > 0) this.publishIssue(issue, 'edited', by, { changes });
    if (closes || opens) this.publishIssue(issue, closes ? 'closed' : 'reopened', by);
    return issue;
  }

  label(issue: Issue, names: string[], by: User): void {
    const repository = this.repository(issue.repository_id);
    for (const name of names.map((each) => this.labelIn(repository, each))) {
      if (issue.labels.includes(name)) continue;
      issue.labels.push(name);
      issue.updated_at = this.now();
      this.publishIssue(issue, 'labeled', by, { label: { name } });
    }
  }

  unlabel(issue: Issue, name: string, by: User): void {
    const label = issue.labels.find((each) => each.toLowerCase() === name.toLowerCase());
    if (label === undefined) throw new GitHubError(404, 'Label does not exist');
    issue.labels = issue.labels.filter((each) => each !== label);
    issue.updated_at = this.now();
    this.publishIssue(issue, 'unlabeled', by, { label: { name: label } });
  }

  remove(issue: Issue, by: User, gone: 'deleted' | 'transferred' = 'deleted'): void {
    issue.gone = gone;
    this.publishIssue(issue, gone, by);
  }

  comment(issue: Issue, body: string, by: User): Comment {
    const at = this.now();
    const { repository_id, number } = issue;
    const comment: Comment = { id: this.nextId(), repository_id, number, user_id: by.id, body, created_at: at, updated_at: at };
    this.comments.push(comment);
    issue.updated_at = at;
    this.publish(repository_id, 'issue_comment', by, {
      action: 'created',
      issue: issueShape(this, issue),
      comment: commentShape(this, comment),
    });
    return comment;
  }

  nextId(): number {
    return ++this.lastId;
  }

  private publishIssue(issue: Issue, action: string, by: User, more: object = {}): void {
    this.publish(issue.repository_id, 'issues', by, { action, issue: issueShape(this, issue), ...more });
  }

  /** `X-Hub-Signature-256` of exactly this body; each delivery has an id. */
  private publish(repository_id: number, event: string, by: User, content: object): void {
    for (const hook of this.hooks) {
      if (hook.repository_id !== repository_id || !hook.active || !hook.events.includes(event)) continue;
      const repository = repositoryShape(this, this.repository(repository_id));
      const body = JSON.stringify({ ...content, repository, sender: userShape(by) });
      const signature = createHmac('sha256', hook.secret).update(body).digest('hex');
      const headers = { 'x-github-event': event, 'x-github-delivery': randomUUID(), 'x-hub-signature-256': `sha256=${signature}` };
      this.deliveries.send({ webhook_id: String(hook.id), endpoint: hook.url, event, body, headers });
    }
  }

  /** The repository's spelling of a label, which is created at its first use. */
  private labelIn(repository: Repository, name: string): string {
    const there = repository.labels.find((each) => each.toLowerCase() === name.toLowerCase());
    if (there === undefined) repository.labels.push(name);
    return there ?? name;
  }
}
