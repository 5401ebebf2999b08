import { brandingDefaults, brandingRules, brandVariables, type BrandScheme, type Branding, type Language } from '@tandem/contracts';
import type sanitizeHtml from 'sanitize-html';

/** The appearance of an email, separate from its text. */
export interface Theme {
  /** Name of the sender. */
  sender: string;
  colors: Record<BrandScheme, ThemeColors>;
  /** The only resource that an email loads, always from our own address. */
  logo: string | null;
  /** Whether the logo is the product's sign, which is shown with its name. */
  isProduct: boolean;
  header: Template | null;
  footer: Template | null;
  powered_by: boolean;
}
/** The button, the text on it, and links. */
export interface ThemeColors {
  button: string;
  onButton: string;
  link: string;
}
/** An organization's header or footer, sanitized. */
export interface Template {
  html: string;
  text: string;
}

/**
 * The HTML that an organization's template may contain. No images, because loading one reveals to a third party that the email was opened.
 * No positions and no URLs in styles, so that a template cannot cover the text of the email.
 */
const allowed: sanitizeHtml.IOptions = {
  allowedTags: [
    'a',
    'abbr',
    'b',
    'blockquote',
    'br',
    'code',
    'div',
    'em',
    'h1',
    'h2',
    'h3',
    'h4',
    'hr',
    'i',
    'li',
    'ol',
    'p',
    'pre',
    's',
    'small',
    'span',
    'strong',
    'sub',
    'sup',
    'table',
    'tbody',
    'td',
    'tfoot',
    'th',
    'thead',
    'tr',
    'u',
    'ul',
  ],
  allowedAttributes: {
    a: ['href', 'title'],
    '*': ['style', 'align', 'dir', 'lang'],
    td: ['colspan', 'rowspan'],
    th: ['colspan', 'rowspan'],
  },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowProtocolRelative: false,
  nestingLimit: 30,
  allowedStyles: {
    '*': {
      color: [/^#[0-9a-f]{3,6}$/i, /^[a-z]{3,20}$/i, /^rgb\([\d\s,.%]+\)$/i],
      'background-color': [/^#[0-9a-f]{3,6}$/i, /^[a-z]{3,20}$/i, /^rgb\([\d\s,.%]+\)$/i],
      'text-align': [/^(left|right|center|justify)$/],
      'text-decoration': [/^(none|underline|line-through)$/],
      'font-size': [/^\d{1,2}(\.\d+)?(px|pt|em|rem)$/],
      'font-weight': [/^(normal|bold|[1-9]00)$/],
      'font-style': [/^(normal|italic)$/],
      'line-height': [/^\d{1,2}(\.\d+)?(px|em)?$/],
      padding: [/^(\d{1,2}(px|em)?\s*){1,4}$/],
      margin: [/^(\d{1,2}(px|em)?\s*){1,4}$/],
    },
  },
};

/** Cached by source text, because an organization's templates appear in every email it sends. */
const templates = new Map<string, Template | null>();
const maxCachedTemplates = 500;

/** Sanitized again here even if it was sanitized when saved: a sent email cannot be corrected. Null for a template without text. */
export function templateOf(typed: string): Template | null {
  const known = templates.get(typed);
  if (known !== undefined) return known;
  // Loaded with the first template: they take 50 ms and several megabytes.
  /* oxlint-disable typescript/no-require-imports */
  const sanitize = require('sanitize-html') as typeof sanitizeHtml;
  const { toPlainText } = require('@react-email/render') as typeof import('@react-email/render');
  /* oxlint-enable typescript/no-require-imports */
  const html = sanitize(typed.slice(0, brandingRules.maxTemplate), allowed);
  const text = toPlainText(html).trim();
  const template = text === '' ? null : { html, text };
  if (templates.size >= maxCachedTemplates) templates.clear();
  templates.set(typed, template);
  return template;
}

/** The same rule as on the portal and in the widget: text has a contrast of 4.5:1 in any color. */
function colorsOf(chosen: string): Theme['colors'] {
  const primary_color = brandingRules.color.test(chosen) ? chosen : brandingDefaults.primary_color;
  const colors = (scheme: BrandScheme): ThemeColors => {
    const variables = brandVariables({ primary_color, secondary_color: primary_color }, scheme)!;
    return { button: variables['--accent']!, onButton: variables['--accent-ink']!, link: variables['--accent-text']! };
  };
  return { light: colors('light'), dark: colors('dark') };
}

/** The accent color of the staff app. */
const teal = '#0b6b78';
const productColors = colorsOf(teal);

/** The product's theme, for emails to staff and about accounts. */
export const productTheme = (sender: string, public_url: string): Theme => ({
  sender,
  colors: productColors,
  logo: `${new URL(public_url).origin}/email-logo.png`,
  isProduct: true,
  header: null,
  footer: null,
  powered_by: false,
});

/** The organization's theme, for emails to its customers. `branding` is null until the organization has set any. */
export function organizationTheme(sender: string, branding: Branding | null, public_url: string, language: Language = 'en'): Theme {
  // Rows from older versions lack the templates by language.
  const stored: Partial<Branding> = branding ?? {};
  const own = stored.email_templates?.[language];
  const logo = branding?.logo_url ?? null;
  return {
    sender,
    colors: colorsOf(branding?.primary_color ?? brandingDefaults.primary_color),
    // Only a path on our own origin: with two slashes at the start it would name another host.
    logo: logo !== null && /^\/(?![/\\])[\w./-]+$/.test(logo) ? `${new URL(public_url).origin}${logo}` : null,
    isProduct: false,
    header: templateOf(own?.header ?? branding?.email_template_header ?? ''),
    footer: templateOf(own?.footer ?? branding?.email_template_footer ?? ''),
    powered_by: !branding?.hide_powered_by,
  };
}
