import * as z from 'zod';
import { commentText } from './comments';
import { event, operation } from './define';
import { defaultLanguages, FoundOrganization, OrganizationLanguages } from './organizations';
import { PublicBranding } from './branding';
import { AddedPublicComment, PublicTicket } from './portal';
import { blankToNull, email, Id, requiredText, text } from './scalars';
import { byTicket, CustomerLanguage, CustomFieldChanges } from './tickets';
import { widgetThemes } from './values/customers';
import { ticketLimits } from './values/tickets';

// ---- settings (identity) --------------------------------------------------------------------------------------

/** An origin that may embed the widget: `https://www.example.com`, `https://*.example.com`, or http on localhost. */
const site = text(200)
  .toLowerCase()
  .regex(
    /^(https:\/\/(\*\.)?([a-z0-9-]+\.)+[a-z]{2,63}(:\d{1,5})?|https?:\/\/localhost(:\d{1,5})?)$/,
    'Use an address like https://www.example.com',
  );

export const WidgetSettings = z.object({
  /** Sites that may show the widget (`frame-ancestors`); empty: any. */
  allowed_sites: z.array(z.string()),
  /** Whether the site must identify visitors (`Tandem('identify', …)`). */
  identity_required: z.boolean(),
  /** Whether a secret for signing their tokens exists. */
  has_secret: z.boolean(),
  /** The widget's theme on sites whose snippet has no `data-theme`. */
  theme: z.enum(widgetThemes),
});
export type WidgetSettings = z.infer<typeof WidgetSettings>;
export const SaveWidgetSettings = z.strictObject({
  allowed_sites: z.array(site).max(50, 'At most 50 sites'),
  identity_required: z.boolean(),
  /** Omitted: unchanged. */
  theme: z.enum(widgetThemes).optional(),
});
export type SaveWidgetSettings = z.infer<typeof SaveWidgetSettings>;

export const readWidgetSettings = operation({
  name: 'identity.readWidgetSettings',
  summary: 'Read the sites that may embed the widget, and whether visitors must be identified.',
  owner: 'identity',
  method: 'GET',
  path: '/widget-settings',
  allow: 'organization.read',
  output: WidgetSettings,
});
export const saveWidgetSettings = operation({
  name: 'identity.saveWidgetSettings',
  summary: 'Change the sites that may embed the widget, its theme, and whether visitors must be identified.',
  owner: 'identity',
  method: 'PUT',
  path: '/widget-settings',
  allow: 'organization.write',
  input: { body: SaveWidgetSettings },
  output: WidgetSettings,
});
export const rotateWidgetSecret = operation({
  name: 'identity.rotateWidgetSecret',
  summary: 'Generate a new secret for visitor tokens; it is shown once, and the previous one stops working.',
  owner: 'identity',
  method: 'POST',
  path: '/widget-settings/rotate-secret',
  allow: 'organization.write',
  output: z.object({ secret: z.string() }),
});
/** For the gateway: the owner of a widget key, and the sites that may frame the widget. */
export const findWidget = operation({
  name: 'identity.findWidget',
  summary: 'The organization of a widget key; for the gateway only.',
  owner: 'identity',
  method: 'GET',
  path: '/internal/widget',
  allow: 'gateway',
  handwritten: true,
  input: { query: z.strictObject({ key: z.string().max(100) }) },
  output: FoundOrganization.extend({ allowed_sites: z.array(z.string()) }).nullable(),
});
/** `sealed_secret` opens with the purpose `widget-identity`. Its subject is the organization. */
export const widgetUpdated = event(
  'widget.updated',
  'identity',
  z.object({
    organization_id: Id,
    allowed_sites: z.array(z.string()),
    identity_required: z.boolean(),
    sealed_secret: z.string().nullable(),
  }),
  { live: true },
);

// ---- what the widget calls ------------------------------------------------------------------------------------

/** The key of the organization that owns the widget: its subdomain, public in the page's source. */
const key = z.string().max(100);
/** A JWT with `{ email, name?, exp }`, HS256 with the organization's secret, valid for at most an hour. */
const identityToken = z.string().max(4_000).optional();

export const readWidgetConfig = operation({
  name: 'identity.readWidgetConfig',
  summary: 'The widget’s configuration: name and theme of the organization.',
  owner: 'identity',
  method: 'GET',
  path: '/widget/v1/config',
  allow: 'widget',
  limit: 'widget',
  input: { query: z.strictObject({ organization: key }) },
  output: z.object({
    name: z.string(),
    branding: PublicBranding.omit({ css: true }),
    identity_required: z.boolean(),
    theme: z.enum(widgetThemes),
    portal_url: z.string(),
    languages: OrganizationLanguages.default(defaultLanguages),
    /** Whether the organization has custom wording (`GET /widget/v1/wording/{language}`). */
    has_wording: z.boolean().default(false),
  }),
  problems: ['organization.not_found'],
});

const publicRequired = 'Subject and email are required fields.';
export const SubmitWidgetTicket = z.strictObject({
  subject: requiredText(ticketLimits.subject, publicRequired),
  description: blankToNull(ticketLimits.description),
  /** Omitted if the token contains it. */
  customer_email: email(publicRequired).optional(),
  customer_name: blankToNull(ticketLimits.name),
  identity_token: identityToken,
  /** Fields that the form asks for, and those that websites can set. Others are ignored. */
  custom_fields: CustomFieldChanges.default({}),
  /** The language of the widget. */
  language: CustomerLanguage.nullish(),
  /** Hidden from people (honeypot): a client that fills it in has to pass a browser challenge. */
  website: z.string().max(500).optional(),
});
export type SubmitWidgetTicket = z.infer<typeof SubmitWidgetTicket>;

const byKey = z.strictObject({ organization: key });
export const submitWidgetTicket = operation({
  name: 'tickets.submitFromWidget',
  summary: 'Create a ticket as a visitor, through the widget.',
  owner: 'tickets',
  method: 'POST',
  path: '/widget/v1/tickets',
  allow: 'widget',
  limit: 'widget',
  status: 201,
  idempotent: true,
  input: { query: byKey, body: SubmitWidgetTicket },
  output: PublicTicket,
  problems: ['organization.not_found', 'widget.identity_required', 'widget.identity_invalid', 'challenge.required'],
});
export const readWidgetTicket = operation({
  name: 'tickets.readFromWidget',
  summary: 'A ticket as its customer sees it; ID and email must both match.',
  owner: 'tickets',
  method: 'GET',
  path: '/widget/v1/tickets/:id',
  allow: 'widget',
  limit: 'widget',
  input: { ...byTicket, query: byKey.extend({ email: email('Please enter your email address to view the ticket.') }) },
  output: PublicTicket,
  problems: ['organization.not_found', 'ticket.not_found'],
});
export const addWidgetComment = operation({
  name: 'tickets.addCommentFromWidget',
  summary: 'Add a comment as the customer, through the widget.',
  owner: 'tickets',
  method: 'POST',
  path: '/widget/v1/tickets/:id/comments',
  allow: 'widget',
  limit: 'widget',
  status: 201,
  idempotent: true,
  input: {
    ...byTicket,
    query: byKey,
    body: z.strictObject({ email: email('Please enter your email address to view the ticket.'), content: commentText }),
  },
  output: AddedPublicComment,
  problems: ['organization.not_found', 'ticket.not_found', 'ticket.locked'],
});
