import type { Language } from './languages';

/** Customer-related names and limits that services and browsers share, without a dependency on zod. */

/** The channel through which a ticket was created. */
export const ticketChannels = ['staff', 'portal', 'email', 'widget', 'api'] as const;
export type TicketChannel = (typeof ticketChannels)[number];
export const channelLabels: Record<TicketChannel, string> = {
  staff: 'Created by staff',
  portal: 'Public page',
  email: 'Email',
  widget: 'Website widget',
  api: 'API',
};

/**
 * The effect of a customer's message on a ticket that is resolved or closed (docs/product-rules.md#follow-ups):
 * it is rejected (`locked`), it reopens the ticket (`reopen`), or it starts a linked new ticket (`new_ticket`).
 */
export const customerFollowUps = ['locked', 'reopen', 'new_ticket'] as const;
export type CustomerFollowUp = (typeof customerFollowUps)[number];
export const followUpLabels: Record<CustomerFollowUp, string> = {
  locked: 'Don’t allow',
  reopen: 'Reopen the ticket',
  new_ticket: 'Create a new, linked ticket',
};

/** Number of comments returned with a public ticket; earlier ones are loaded page by page. */
export const publicCommentsShown = 50;

/** The survey's ratings, 1 to 5. */
export const surveyRatings = [1, 2, 3, 4, 5] as const;
export const surveyRatingLabels: Record<number, string> = { 1: 'Very Poor', 2: 'Poor', 3: 'Average', 4: 'Good', 5: 'Excellent' };
export const surveyFeedbackLimit = 5_000;

/** Used until an organization saves its own branding. */
export const brandingDefaults = { primary_color: '#3B82F6', secondary_color: '#8B5CF6' } as const;
export const brandingRules = {
  color: /^#[0-9a-f]{6}$/i,
  /** Maximum length of the style sheet and of each mail template as typed, in UTF-16 units. */
  maxCss: 20_000,
  maxTemplate: 10_000,
  /** Bytes of a logo or an icon. */
  maxAssetBytes: 512 * 1024,
  assetTypes: ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/x-icon'],
} as const;

/** If a verified domain's DNS record is missing: when links use the subdomain, and when it is released (docs/product-rules.md#domains). */
export const customDomainRules = { checkHours: 24, lapseDays: 3, releaseDays: 30 } as const;

/** Replies are taken from the text above this line; it is the first line of each email that accepts replies. */
export const replyDelimiter = '##- Please type your reply above this line -##';
/** The same in each language. Organizations cannot change it, because incoming emails are split at it. */
export const replyDelimiters: Readonly<Record<Language, string>> = {
  en: replyDelimiter,
  de: '##- Bitte schreiben Sie Ihre Antwort über diese Zeile -##',
  fr: '##- Veuillez écrire votre réponse au-dessus de cette ligne -##',
  es: '##- Escriba su respuesta encima de esta línea -##',
  'pt-BR': '##- Digite sua resposta acima desta linha -##',
  it: '##- Scriva la sua risposta sopra questa riga -##',
  nl: '##- Typ uw antwoord boven deze regel -##',
  pl: '##- Prosimy wpisać odpowiedź powyżej tej linii -##',
  ja: '##- この行より上に返信をご記入ください -##',
  ar: '##- يُرجى كتابة ردك فوق هذا السطر -##',
};

/** The widget's attributes and their defaults. */
export const widgetThemes = ['light', 'dark', 'auto'] as const;
export type WidgetTheme = (typeof widgetThemes)[number];
export const widgetPositions = ['bottom-right', 'bottom-left', 'top-right', 'top-left'] as const;
export type WidgetPosition = (typeof widgetPositions)[number];
export const widgetDefaults = { theme: 'auto', position: 'bottom-right', trigger_text: 'Support' } as const;
/** The maximum lifetime of a token by which a site identifies its visitor, in seconds. */
export const widgetIdentityMaxSeconds = 3_600;
