const size = /^(?:\d{1,4}(?:\.\d+)?(?:px|em|rem|pt|%)?|auto|normal)$/i;
const sizes = /^(?:(?:\d{1,4}(?:\.\d+)?(?:px|em|rem|pt|%)?|auto)\s*){1,4}$/i;
const cssColor = /^(?:#[0-9a-f]{3,8}|[a-z]{3,24}|rgba?\([\d\s.,%/]+\))$/i;
const line = /^(?:(?:\d{1,2}px|none|solid|dashed|dotted|double|thin|medium|#[0-9a-f]{3,8}|[a-z]{3,24})\s*){1,3}$/i;

/** No display, position or background image: a template must not hide mail content or load anything through styles. */
const styles = {
  color: [cssColor],
  'background-color': [cssColor],
  background: [cssColor],
  'font-size': [size],
  'line-height': [size],
  'font-weight': [/^(?:normal|bold|[1-9]00)$/i],
  'font-style': [/^(?:normal|italic)$/i],
  'font-family': [/^[\w\s,"'-]{1,200}$/],
  'text-align': [/^(?:left|right|center|justify)$/i],
  'text-decoration': [/^(?:none|underline|line-through)$/i],
  'vertical-align': [/^(?:top|middle|bottom|baseline)$/i],
  width: [size],
  'max-width': [size],
  height: [size],
  padding: [sizes],
  margin: [sizes],
  'border-radius': [sizes],
  ...Object.fromEntries(
    ['top', 'right', 'bottom', 'left'].flatMap((side) => [`padding-${side}`, `margin-${side}`].map((name) => [name, [size]])),
  ),
  ...Object.fromEntries(['border', 'border-top', 'border-right', 'border-bottom', 'border-left'].map((name) => [name, [line]])),
};

const tagNames = 'p br b strong i em u a img span div h1 h2 h3 h4 ul ol li hr table thead tbody tr td th'.split(' ');
const cell = ['align', 'valign', 'colspan', 'rowspan', 'width'];
/** The path of our own pictures, relative to the product's URL. */
const assetPath = /^\/api\/v1\/public\/branding-assets\/[0-9a-f-]{36}$/i;

/**
 * Sanitizes a header or footer of emails. Pictures must use https or be our own; their URLs are made absolute, because an email has no
 * base URL.
 */
export function sanitizeTemplate(html: string, publicUrl: string): string {
  const pictureOf = (src: string): string | undefined => {
    const own = src.startsWith(`${publicUrl}/`) ? src.slice(publicUrl.length) : src;
    if (assetPath.test(own)) return `${publicUrl}${own}`;
    return URL.parse(src)?.protocol === 'https:' ? src : undefined;
  };
  // Loaded with the first template: it takes 60 ms and 3 MB.
  // oxlint-disable-next-line typescript/no-require-imports
  const sanitizeHtml = require('sanitize-html') as typeof import('sanitize-html');
  const clean = sanitizeHtml(html, {
    allowedTags: tagNames,
    allowedAttributes: {
      '*': ['style'],
      a: ['href', 'title'],
      img: ['src', 'alt', 'width', 'height'],
      table: ['width', 'border', 'cellpadding', 'cellspacing', 'align'],
      td: cell,
      th: cell,
      tr: ['align', 'valign'],
    },
    allowedStyles: { '*': styles },
    allowedSchemes: ['http', 'https', 'mailto'],
    allowProtocolRelative: false,
    nestingLimit: 30,
    transformTags: {
      a: (tagName, { href, ...attribs }) => ({
        tagName,
        attribs: href !== undefined && /^(?:https?:\/\/|mailto:)/i.test(href.trim()) ? { href: href.trim(), ...attribs } : attribs,
      }),
      img: (tagName, { src, ...attribs }) => {
        const picture = pictureOf((src ?? '').trim());
        return { tagName, attribs: picture === undefined ? attribs : { src: picture, ...attribs } };
      },
    },
    exclusiveFilter: ({ tag, attribs }) => tag === 'img' && attribs.src === undefined,
  });
  return clean.trim();
}
