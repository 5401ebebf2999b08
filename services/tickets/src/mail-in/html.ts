import sanitize from 'sanitize-html';
import { boundedHtml } from './html-bounds';
import type { ParsedFile } from './parsed-mail';

/** Maximum length of the output in UTF-16 units. */
const maxOutput = 500_000;
/** Maximum nesting of tags: emails crafted to break parsers have thousands of levels. */
const maxNesting = 200;
/** Maximum sizes in bytes; base64-encoded, embedded images leave room for the text within `maxOutput`. */
const pictureLimits = { each: 100 * 1024, all: 300 * 1024 };
const pictures = [
  ['image/png', [0x89, 0x50, 0x4e, 0x47]],
  ['image/jpeg', [0xff, 0xd8, 0xff]],
  ['image/gif', [0x47, 0x49, 0x46, 0x38]],
  ['image/webp', [0x52, 0x49, 0x46, 0x46]],
] as const;

const word = /^[\w\s%.,#'"+-]{1,200}$/;
const color = /^(#[0-9a-f]{3,8}|[a-z]{1,30}|rgba?\([\d\s.,%/]{1,60}\)|hsla?\([\d\s.,%/a-z]{1,60}\))$/i;
const box = ['margin', 'padding'].flatMap((name) => [name, ...['top', 'right', 'bottom', 'left'].map((side) => `${name}-${side}`)]);
const border = ['border', ...['top', 'right', 'bottom', 'left'].map((side) => `border-${side}`)];
const plainStyles = [
  'font-family',
  'font-size',
  'font-style',
  'font-weight',
  'line-height',
  'text-align',
  'text-decoration',
  'text-indent',
  'vertical-align',
  'white-space',
  'width',
  'max-width',
  'height',
  'list-style-type',
  'border-collapse',
  'border-spacing',
  'border-radius',
  'border-style',
  'border-width',
  'display',
];
const unit = /^[^()\\]{1,120}(\(\s*[\d\s.,%]{1,40}\)[^()\\]{0,40})?$/;
const styles: Record<string, RegExp[]> = {
  ...Object.fromEntries(plainStyles.map((name) => [name, [word]])),
  // No positioning and no negative margins: an element laid over the page could ask for passwords in another site's name.
  ...Object.fromEntries(box.map((name) => [name, [/^(?!.*-\d)[\d\s.,%a-z]{1,80}$/i]])),
  ...Object.fromEntries(border.map((name) => [name, [unit]])),
  color: [color],
  'background-color': [color],
  background: [color],
  'border-color': [color],
};

const tags = sanitize.defaults.allowedTags.concat(['img', 'font', 'center', 'del', 'ins', 'tt', 'big', 'strike']);

/**
 * Sanitizes an email's HTML for a sandboxed frame: no scripts, no forms, no requests. External images keep their address in `data-src`, so
 * that readers can load them on demand; small images of the email itself are embedded.
 */
export function safeHtml(html: string, files: readonly ParsedFile[]): string {
  const place = picturesOf(files);
  const clean = sanitize(boundedHtml(html), {
    allowedTags: tags,
    nestingLimit: maxNesting,
    allowedAttributes: {
      a: ['href', 'title', 'rel', 'target'],
      img: ['src', 'data-src', 'alt', 'title', 'width', 'height'],
      font: ['color', 'face', 'size'],
      '*': ['style', 'align', 'valign', 'dir', 'lang', 'bgcolor', 'colspan', 'rowspan', 'cellpadding', 'cellspacing', 'border', 'width'],
    },
    allowedStyles: { '*': styles },
    allowedSchemes: ['http', 'https', 'mailto', 'tel'],
    allowedSchemesByTag: { img: ['data'] },
    allowProtocolRelative: false,
    transformTags: {
      a: (tagName, attributes) => ({ tagName, attribs: { ...attributes, rel: 'noopener noreferrer nofollow', target: '_blank' } }),
      img: (tagName, attributes) => ({ tagName, attribs: place(attributes) }),
    },
    exclusiveFilter: ({ tag, attribs }) => tag === 'img' && !attribs.src && !attribs['data-src'],
  });
  // Truncate longer output before a tag, so that no tag is split.
  return clean.length > maxOutput
    ? sanitize(clean.slice(0, clean.lastIndexOf('<', maxOutput)), {
        allowedTags: tags,
        allowedAttributes: false,
        nestingLimit: maxNesting,
        allowedSchemesByTag: { img: ['data'] },
      }).slice(0, maxOutput)
    : clean;
}

/** Returns a function that rewrites an image's attributes; it counts the bytes embedded so far. */
function picturesOf(files: readonly ParsedFile[]): (attributes: Record<string, string>) => Record<string, string> {
  const byId = new Map(files.filter(({ content_id }) => content_id !== null).map((file) => [file.content_id!.toLowerCase(), file.content]));
  let room = pictureLimits.all;
  return ({ src = '', alt = '', title = '', width = '', height = '', style = '' }) => {
    const kept = { alt, title, width, height, style };
    const address = src.trim();
    if (isTracking(width, height)) return {};
    if (/^https?:\/\//i.test(address)) return { ...kept, 'data-src': address.slice(0, 2_000) };
    if (
      /^data:image\/(png|jpe?g|gif|webp);base64,[a-z0-9+/=\s]+$/i.test(address.slice(0, 200)) &&
      address.length * 0.75 <= Math.min(room, pictureLimits.each)
    ) {
      room -= address.length * 0.75;
      return { ...kept, src: address };
    }
    const content = /^cid:/i.test(address) ? byId.get(decoded(address.slice(4)).toLowerCase()) : undefined;
    const type = content && pictures.find(([, magic]) => magic.every((byte, at) => content[at] === byte))?.[0];
    if (!content || !type || content.length > Math.min(room, pictureLimits.each)) return {};
    room -= content.length;
    return { ...kept, src: `data:${type};base64,${content.toString('base64')}` };
  };
}

/** An image of one pixel only serves to report to its sender that the email was read. */
const isTracking = (width: string, height: string): boolean => /^[01](px)?$/.test(width.trim()) && /^[01](px)?$/.test(height.trim());

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
