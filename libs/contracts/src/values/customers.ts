/** The customer's side: words and limits that services and browsers share, free of zod. */

/** Through which door a ticket came. */
export const ticketChannels = ['staff', 'portal', 'email', 'widget', 'api'] as const;
export type TicketChannel = (typeof ticketChannels)[number];
export const channelLabels: Record<TicketChannel, string> = {
  staff: 'Created by staff',
  portal: 'Public page',
  email: 'E-mail',
  widget: 'Website widget',
  api: 'API',
};

/**
 * What a customer's words do to a ticket that is resolved or closed (`product-decisions.md`), on the page, in the widget and by mail alike:
 * nothing (`locked`), it opens again (`reopen`), or a linked new ticket takes them (`new_ticket`).
 */
export const customerFollowUps = ['locked', 'reopen', 'new_ticket'] as const;
export type CustomerFollowUp = (typeof customerFollowUps)[number];
export const followUpLabels: Record<CustomerFollowUp, string> = {
  locked: 'Not possible',
  reopen: 'Opens the ticket again',
  new_ticket: 'Starts a new, linked ticket',
};

/** Comments of a public ticket in one answer; earlier ones come page by page. */
export const publicCommentsShown = 50;

/** Spec part 2, section 2: the survey's ratings, 1 to 5. */
export const surveyRatings = [1, 2, 3, 4, 5] as const;
export const surveyRatingLabels: Record<number, string> = { 1: 'Very Poor', 2: 'Poor', 3: 'Average', 4: 'Good', 5: 'Excellent' };
export const surveyFeedbackLimit = 5_000;

/** Spec part 2, section 9. */
export const brandingDefaults = { primary_color: '#3B82F6', secondary_color: '#8B5CF6' } as const;
export const brandingRules = {
  color: /^#[0-9a-f]{6}$/i,
  /** UTF-16 units of the style sheet and of each mail template, as typed. */
  maxCss: 20_000,
  maxTemplate: 10_000,
  /** Bytes of a logo or an icon. */
  maxAssetBytes: 512 * 1024,
  assetTypes: ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/x-icon'],
} as const;

/** A verified custom domain whose DNS record is missing: after so many days links use the subdomain, and the claim ends. */
export const customDomainRules = { checkHours: 24, lapseDays: 3, releaseDays: 30 } as const;

/** Where replies above it are taken from; the first line of each mail that can be answered. */
export const replyDelimiter = '##- Please type your reply above this line -##';

/** Spec part 2, section 2 and 9: the widget's attributes and their defaults. */
export const widgetThemes = ['light', 'dark', 'auto'] as const;
export type WidgetTheme = (typeof widgetThemes)[number];
export const widgetPositions = ['bottom-right', 'bottom-left', 'top-right', 'top-left'] as const;
export type WidgetPosition = (typeof widgetPositions)[number];
export const widgetDefaults = { theme: 'auto', position: 'bottom-right', trigger_text: 'Support' } as const;
/** A token by which a site says who its visitor is may live this long at most, in seconds. */
export const widgetIdentityMaxSeconds = 3_600;
