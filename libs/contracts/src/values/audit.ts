/**
 * The events of the audit log, with category and severity. docs/product-rules.md#audit has the scale of severities.
 */
export const auditEvents = {
  'sign_in.succeeded': { category: 'security', severity: 'low', title: 'Signed in' },
  'sign_in.failed': { category: 'security', severity: 'medium', title: 'Sign-in failed' },
  'sign_in.locked_out': { category: 'security', severity: 'high', title: 'Locked out after failed sign-ins' },
  'session.signed_out': { category: 'security', severity: 'low', title: 'Signed out' },
  'session.revoked': { category: 'security', severity: 'low', title: 'Ended a session on another device' },
  'session.token_reused': { category: 'security', severity: 'high', title: 'Session ended because an old token was reused' },
  suspicious_concurrent_session: { category: 'security', severity: 'high', title: 'Signed in on another device within 5 minutes' },
  excessive_concurrent_sessions: { category: 'security', severity: 'medium', title: 'More than 3 concurrent sessions' },
  'password.changed': { category: 'security', severity: 'medium', title: 'Changed the password' },
  'password.reset': { category: 'security', severity: 'medium', title: 'Set a new password by email' },
  'password.proof_failed': { category: 'security', severity: 'medium', title: 'Entered a wrong password while signed in' },
  'email.changed': { category: 'security', severity: 'medium', title: 'Changed the sign-in address' },
  'mfa.enabled': { category: 'security', severity: 'low', title: 'Turned on two-factor sign-in' },
  'mfa.disabled': { category: 'security', severity: 'medium', title: 'Turned off two-factor sign-in' },
  'mfa.recovery_code_used': { category: 'security', severity: 'medium', title: 'Signed in with a recovery code' },
  'mfa.recovery_codes_renewed': { category: 'security', severity: 'low', title: 'Generated new recovery codes' },
  'mfa.reset': { category: 'team', severity: 'high', title: 'Turned off two-factor sign-in for a member' },
  'member.joined': { category: 'team', severity: 'low', title: 'Joined the team' },
  'member.role_changed': { category: 'team', severity: 'medium', title: 'Changed a role' },
  'member.deactivated': { category: 'team', severity: 'medium', title: 'Deactivated a member' },
  'member.reactivated': { category: 'team', severity: 'medium', title: 'Activated a member' },
  'invitation.created': { category: 'team', severity: 'low', title: 'Invited a person' },
  'invitation.resent': { category: 'team', severity: 'low', title: 'Resent an invitation' },
  'invitation.cancelled': { category: 'team', severity: 'low', title: 'Cancelled an invitation' },
  'invitation.declined': { category: 'team', severity: 'low', title: 'Declined an invitation' },
  'organization.created': { category: 'settings', severity: 'low', title: 'Created the organization' },
  'organization.updated': { category: 'settings', severity: 'low', title: 'Changed organization settings' },
  'sla_policy.created': { category: 'settings', severity: 'low', title: 'Created a service-level policy' },
  'sla_policy.updated': { category: 'settings', severity: 'low', title: 'Changed a service-level policy' },
  'sla_policy.deleted': { category: 'settings', severity: 'low', title: 'Removed a service-level policy' },
  'branding.updated': { category: 'settings', severity: 'low', title: 'Changed the branding' },
  'custom_domain.verified': { category: 'settings', severity: 'medium', title: 'Verified a custom domain' },
  'custom_domain.lapsed': { category: 'settings', severity: 'high', title: 'A custom domain lost its DNS record' },
  'custom_domain.released': { category: 'settings', severity: 'high', title: 'A custom domain was released' },
  'custom_domain.restored': { category: 'settings', severity: 'medium', title: 'A custom domain was verified again' },
  'widget.updated': { category: 'settings', severity: 'low', title: 'Changed the widget' },
  'widget.secret_rotated': { category: 'settings', severity: 'medium', title: 'Generated a new widget secret' },
  'mailbox.connected': { category: 'settings', severity: 'medium', title: 'Connected or changed a mailbox' },
  'mailbox.disconnected': { category: 'settings', severity: 'medium', title: 'Disconnected a mailbox' },
  'task_tool.connected': { category: 'settings', severity: 'medium', title: 'Connected a task tool' },
  'task_tool.disconnected': { category: 'settings', severity: 'medium', title: 'Disconnected a task tool' },
  'integration.created': { category: 'settings', severity: 'low', title: 'Created an integration' },
  'integration.updated': { category: 'settings', severity: 'low', title: 'Changed an integration' },
  'integration.deleted': { category: 'settings', severity: 'low', title: 'Removed an integration' },
  'oidc.connected': { category: 'settings', severity: 'high', title: 'Connected or changed the OpenID provider' },
  'oidc.disconnected': { category: 'settings', severity: 'medium', title: 'Disconnected the OpenID provider' },
} as const;

export type AuditType = keyof typeof auditEvents;
export const auditTypes = Object.keys(auditEvents) as [AuditType, ...AuditType[]];
export const auditCategories = ['security', 'team', 'settings'] as const;
export type AuditCategory = (typeof auditCategories)[number];
export const severities = ['low', 'medium', 'high'] as const;
export type Severity = (typeof severities)[number];
