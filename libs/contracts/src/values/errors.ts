/**
 * The catalog of problems: code → HTTP status and title. A code that is not here does not compile.
 * `docs/errors.md` is generated from this table.
 */
export const problems = {
  'request.malformed': { status: 400, title: 'The request could not be read' },
  'request.invalid': { status: 422, title: 'Some fields need your attention' },
  'request.too_large': { status: 413, title: 'The request is too large' },
  'request.unsupported_media_type': { status: 415, title: 'Send this request as application/json' },
  'request.precondition_failed': { status: 412, title: 'Another change was saved in the meantime' },
  'route.not_found': { status: 404, title: 'This address does not exist' },
  'method.not_allowed': { status: 405, title: 'This address does not support that method' },
  'session.required': { status: 401, title: 'Please sign in' },
  'session.expired': { status: 401, title: 'Your session has expired. Please sign in again.' },
  'csrf.failed': { status: 403, title: 'The security token is missing or out of date. Reload the page and try again.' },
  'permission.denied': { status: 403, title: 'Your role does not allow this' },
  'organization.required': { status: 403, title: 'Set up your organization first' },
  'organization.not_found': { status: 404, title: 'Organization not found' },
  'organization.already_set_up': { status: 409, title: 'Your account already belongs to an organization' },
  'subdomain.taken': { status: 409, title: 'This subdomain is already taken' },
  'credentials.invalid': { status: 401, title: 'Invalid login credentials' },
  'email.not_confirmed': { status: 403, title: 'Email not confirmed' },
  'confirmation.invalid': { status: 410, title: 'This confirmation link is no longer valid' },
  'account.inactive': { status: 403, title: 'This account has been deactivated' },
  'password.wrong': { status: 403, title: 'The current password is incorrect' },
  'reset.invalid': { status: 410, title: 'This password link is no longer valid. Please request a new one.' },
  'mfa.code_invalid': { status: 401, title: 'Incorrect code. Check the time on your phone and try the next code.' },
  'mfa.challenge_expired': { status: 410, title: 'This took too long. Please sign in again.' },
  'mfa.not_begun': { status: 409, title: 'Scan the QR code first' },
  'mfa.already_enabled': { status: 409, title: 'Two-factor sign-in is already on' },
  'mfa.not_enabled': { status: 409, title: 'Two-factor sign-in is not on' },
  'mfa.required': { status: 409, title: 'Your organization requires two-factor sign-in, so it cannot be turned off' },
  'mfa.own': { status: 409, title: 'Turn off your own two-factor sign-in on your account page' },
  'mfa.own_first': { status: 409, title: 'Set up two-factor sign-in for yourself first, or you would lock yourself out' },
  'mfa.enrolment_required': { status: 403, title: 'Your organization requires two-factor sign-in. Set it up to continue.' },
  'device.not_found': { status: 404, title: 'This session has already ended' },
  'member.last_admin': { status: 409, title: 'You cannot demote or deactivate the last active admin' },
  'custom_domain.taken': { status: 409, title: 'This domain already belongs to another organization' },
  'custom_domain.not_verified': {
    status: 422,
    title: 'DNS record not found yet. DNS changes usually take 1–2 hours, but can take up to 48.',
  },
  'branding.asset_refused': { status: 422, title: 'Use a PNG, JPEG, GIF, WebP or ICO image of at most 512 KB' },
  'branding.asset_not_found': { status: 404, title: 'This image does not exist' },
  'widget.identity_required': { status: 403, title: 'Please sign in on this website first, then try again' },
  'widget.identity_invalid': { status: 403, title: 'This website could not verify your identity. Reload the page and try again.' },
  'invitation.not_found': { status: 404, title: 'Invitation not found or expired' },
  'invitation.other_address': { status: 403, title: 'This invitation was sent to another email address' },
  'invitation.already_member': { status: 409, title: 'This person is already on your team' },
  'invitation.pending': { status: 409, title: 'This person already has an invitation. Resend it instead.' },
  'invitation.too_many': { status: 429, title: 'Too many invitations to this address. Please try again later.' },
  'oidc.not_connected': { status: 404, title: 'Single sign-on is not set up for this organization' },
  'oidc.unreachable': { status: 422, title: 'The OpenID provider is unreachable or sent an invalid response' },
  'oidc.failed': { status: 401, title: 'Sign-in with your provider failed. Please try again.' },
  'oidc.not_a_member': { status: 403, title: 'You are not a member of this organization. Ask an admin for an invitation.' },
  'user.not_found': { status: 404, title: 'User not found' },
  'ticket.not_found': { status: 404, title: 'Ticket not found' },
  'ticket.changed': { status: 412, title: 'This ticket was changed in the meantime' },
  'ticket.locked': { status: 423, title: 'This ticket no longer accepts comments' },
  'ticket.too_many_tags': { status: 422, title: 'A ticket has at most 20 tags' },
  'report.not_found': { status: 404, title: 'This scheduled report does not exist' },
  'report.changed': { status: 409, title: 'This report was changed in the meantime. Open it again to change it.' },
  'report.too_many': { status: 409, title: 'You have 20 scheduled reports. Delete one to add another.' },
  'unsubscribe.invalid': { status: 410, title: 'This unsubscribe link is no longer valid' },
  'ticket.merge_refused': { status: 409, title: 'These tickets cannot be merged' },
  'comment.outdated': { status: 409, title: 'There is a newer comment. Read it, then send yours again.' },
  'survey.already_submitted': { status: 409, title: 'Feedback was already submitted for this ticket' },
  'challenge.required': { status: 428, title: 'Checking your browser. Please wait a moment.' },
  'mailbox.unreachable': { status: 422, title: 'The mailbox could not be opened' },
  'mailbox.not_connected': { status: 404, title: 'No mailbox is connected' },
  'email.not_found': { status: 404, title: 'This email does not exist' },
  'notification.not_found': { status: 404, title: 'This notification does not exist' },
  'email.not_retryable': { status: 409, title: 'Only a failed email can be resent' },
  'attachment.not_found': { status: 404, title: 'This file does not exist' },
  'attachment.refused': { status: 422, title: 'This file cannot be attached' },
  'attachment.not_usable': { status: 422, title: 'A file was not uploaded or already belongs to another text' },
  'file.link_expired': { status: 410, title: 'This link has expired. Open the file again from its ticket.' },
  'view.not_found': { status: 404, title: 'This view does not exist' },
  'view.too_many': { status: 409, title: 'There are too many views. Remove one first.' },
  'macro.not_found': { status: 404, title: 'This canned reply does not exist' },
  'macro.too_many': { status: 409, title: 'There are too many canned replies. Remove one first.' },
  'ticket_prefix.in_use': { status: 409, title: 'Tickets already use this prefix, so it can no longer change' },
  'sla_policy.not_found': { status: 404, title: 'This policy does not exist' },
  'sla_policy.too_many': { status: 409, title: 'There are too many policies. Remove one first.' },
  'assignee.not_a_member': { status: 422, title: 'The assignee is not an active member of this organization' },
  'task_tool.unknown': { status: 404, title: 'Unknown task tool' },
  'task_tool.not_configured': { status: 409, title: 'OAuth credentials (client id and secret) must be configured in backend secrets' },
  'task_tool.not_connected': { status: 409, title: 'Connect the task tool first' },
  'task_tool.broken': { status: 409, title: 'The task tool no longer accepts the connection. Connect it again.' },
  'task_tool.token_refused': { status: 422, title: 'The task tool rejected the credentials. Please try again.' },
  'task_tool.state_invalid': { status: 410, title: 'This took too long or was started elsewhere. Please connect again.' },
  'task_tool.unreachable': { status: 503, title: 'The task tool is not responding. Please try again.' },
  'task_tool.list_not_found': { status: 404, title: 'The task tool does not have this, or the connection has no access to it' },
  'integration.not_found': { status: 404, title: 'Integration not found' },
  'integration.exists': { status: 409, title: 'This list is already integrated' },
  'integration.too_many': { status: 409, title: 'There are too many integrations. Remove one first.' },
  'integration.order_incomplete': { status: 409, title: 'The integrations have changed. Reload and try again.' },
  'integration.status_unknown': { status: 422, title: 'The list does not have this status' },
  'integration.paused': { status: 409, title: 'This integration is paused. Resume it first.' },
  'task.reference_invalid': { status: 422, title: 'Paste the URL or ID of a task, for example DEV-123' },
  'task.not_found': { status: 404, title: 'This task was not found. It may have been deleted.' },
  'task.no_access': { status: 404, title: 'This task does not exist, or the connection has no access to it' },
  'task.not_in_list': { status: 409, title: 'This task is not in a connected list. Ask an admin to connect its list.' },
  'task.archived': { status: 409, title: 'This task is archived. Unarchive it in the task tool first.' },
  'task.too_many_tickets': { status: 409, title: '100 tickets already share this task' },
  'task.not_linked': { status: 404, title: 'This ticket has no task' },
  'task.already_linked': { status: 409, title: 'This ticket already has a task. Unlink it first.' },
  'webhook.refused': { status: 400, title: 'The webhook could not be verified' },
  'idempotency.key_reused': { status: 422, title: 'This idempotency key was used with another request' },
  'idempotency.running': { status: 409, title: 'A request with this idempotency key is still running' },
  'limit.exceeded': { status: 429, title: 'Rate limit exceeded' },
  'login.blocked': { status: 429, title: 'Too many failed login attempts' },
  'service.unavailable': { status: 503, title: 'The service is temporarily unavailable. Please try again.' },
  internal: { status: 500, title: 'An unexpected error occurred' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ProblemCode = keyof typeof problems;

export interface FieldProblem {
  /** Dotted path of the member, e.g. `customer_email`; empty for the body itself. */
  path: string;
  code: string;
  message: string;
}

/** RFC 9457 problem details with our extension members. */
export interface Problem {
  success: false;
  type: string;
  title: string;
  status: number;
  code: ProblemCode;
  detail?: string;
  errors?: FieldProblem[];
  request_id: string;
}
