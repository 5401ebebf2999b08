import { AppError } from '@tandem/contracts';
import { scopeCss } from './css';

describe('selectors', () => {
  it.each([
    ['.card', '.portal .card'],
    ['a:hover, .x > p', '.portal a:hover,.portal .x > p'],
    ['html', '.portal'],
    ['BODY', '.portal'],
    [':root', '.portal'],
    ['html body .x', '.portal .x'],
    ['html > body > .x', '.portal > .x'],
    ['body.dark .x', '.portal.dark .x'],
    ['*', '.portal *'],
    ['* + *', '.portal * + *'],
    ['.portal .x', '.portal .x'],
    ['.portal', '.portal'],
    ['.portalish', '.portal .portalish'],
    ['html-like', '.portal html-like'],
    ['a[title="x, y"]', '.portal a[title="x, y"]'],
    [':is(h1, h2):not(.a)', '.portal :is(h1, h2):not(.a)'],
    ['.a ~ .b', '.portal .a ~ .b'],
    ['> .x', '.portal > .x'],
    ['h1/* a */b', '.portal h1 b'],
  ])('are scoped to the portal: %s', (selector, scoped) => expect(scopeCss(`${selector}{color:red}`)).toBe(`${scoped}{color:red}`));

  it.each([
    '+ .x',
    '~ .x',
    'body ~ .x',
    'body + div',
    'html body ~ *',
    '.portal ~ .x',
    '.portal.dark + .x',
    '.portal:not(.a) ~ b',
    ':root~*',
    '.portal[title=" "] + .x',
    '.portal:is(:not(:is(a))) ~ .x',
    ':scope + *',
    'html > body + x',
    '|| .x',
    `.portal${':not('.repeat(9)}a${')'.repeat(9)} ~ b`,
    '.portal[title="]"] + x',
    '.portal[title=")("]+x',
    'body[a="] b"]~x',
    '&',
    '& + .x',
    ':not(&)',
    '.a &',
    '.\\70 ortal',
    '\\62 ody ~ x',
    '.a\\:b',
    '[title="</style>"]',
    '.é',
    'a{b',
  ])('%s is left out', (selector) => {
    try {
      expect(scopeCss(`${selector} {color:red}`)).toBe('');
    } catch (error) {
      expect(error).toBeInstanceOf(AppError);
    }
  });

  it('keep the valid selectors of a list', () => expect(scopeCss('.a, + .b, .c{color:red}')).toBe('.portal .a,.portal .c{color:red}'));

  it('drop nested rules, whose & could escape the scope', () =>
    expect(scopeCss('.portal { color: red; & + footer { color: blue } .x & { color: blue } @media print { color: green } }')).toBe(
      '.portal{color:red}',
    ));
});

describe('declarations', () => {
  const kept = (declarations: string) => scopeCss(`.x{${declarations}}`).replace(/^\.portal \.x\{|\}$/g, '');

  it.each([
    ['color:#fff', 'color:#fff'],
    ['COLOR : Red !important', 'color:Red!important'],
    ['background:linear-gradient(90deg, rgb(1 2 3 / 50%), var(--x))', 'background:linear-gradient(90deg, rgb(1 2 3 / 50%), var(--x))'],
    ['--brand: #123456', '--brand:#123456'],
    ['font-family:"Söhne", sans-serif', 'font-family:"Söhne", sans-serif'],
    ['position:relative', 'position:relative'],
    ['margin:calc(1px + (2px * 3))', 'margin:calc(1px + (2px * 3))'],
    ['background:url("data:image/png;base64,iVBORw0KGgo=") no-repeat', 'background:url("data:image/png;base64,iVBORw0KGgo=") no-repeat'],
    ['background:url(data:image/webp;base64,UklGRg==)', 'background:url(data:image/webp;base64,UklGRg==)'],
    ['transition:color .2s cubic-bezier(.2,0,0,1)', 'transition:color .2s cubic-bezier(.2,0,0,1)'],
  ])('are kept: %s', (typed, safe) => expect(kept(typed)).toBe(safe));

  it.each([
    // Covers the page.
    'position:fixed',
    'position:sticky',
    'position:absolute',
    'POSITION:FIXED',
    'position:fi/**/xed',
    'position:var(--p)',
    'z-index:9',
    'position:fixed!important',
    'position:-webkit-sticky',
    'pos\\69tion:fixed',
    '\\70 osition:fixed',
    'position:\\66ixed',
    'position/**/:/**/fixed',
    'overlay:auto',
    'view-transition-name:x',
    'position:static fixed',
    // Adds text.
    'content:"Call us"',
    'CONTENT:"x"',
    'c\\6fntent:"x"',
    'list-style:"Call us"',
    'list-style-type:var(--t)',
    'text-overflow:"x"',
    'quotes:"a" "b"',
    // Loads a resource.
    'background:url(https://evil.example/x.png)',
    'background:url("//evil.example")',
    "background:URL('http://e.example')",
    'background:u\\72l(https://e.example)',
    'background:url(/**/"https://e.example")',
    'background:url (https://e.example)',
    'background:image-set("https://e.example/x.png" 1x)',
    'background:-webkit-image-set(url(https://e.example) 1x)',
    'background:src("https://e.example")',
    'background:image("https://e.example")',
    'background:cross-fade(url(x), url(y))',
    '--x:url(https://e.example)',
    '--x: image-set("https://e.example" 1x)',
    'cursor:url(x.cur), auto',
    'filter:url(#a)',
    'background:url(data:image/svg+xml;base64,PHN2Zz4=)',
    'background:url(data:text/html;base64,PGI+)',
    'background:url(data:image/png,x)',
    'background:url(data:image/png;base64,AAAA) url(https://e.example)',
    'background:url("data:image/png;base64,AA"https://e)',
    'mask:element(#x)',
    'background:paint(x)',
    'color:attr(data-x type(<url>))',
    // Runs code.
    'width:expression(alert(1))',
    'width:exp/**/ression(alert(1))',
    'behavior:url(x.htc)',
    '-moz-binding:url(x)',
    '-ms-behavior:url(x)',
    'filter:progid:DXImageTransform.Microsoft.Alpha(opacity=1)',
    'background:javascript:alert(1)',
    // Leaves the style sheet.
    'font-family:"</style><script>"',
    'font-family:"\\22"',
    '--x:{position:fixed}',
    '--x:"}"',
    'color:red@import',
    '--x:a;b:calc((1px)',
  ])('are removed: %s', (typed) => {
    try {
      expect(kept(typed)).not.toMatch(
        /fixed|sticky|absolute|z-index|content|url\((?!["']?data:image\/png)|https|script|\\|<|@|:"|overlay|view-|"Call|var|binding|behavior|progid|element|paint|attr|"}"|image\(|src\(|\(\(1px\)$/i,
      );
    } catch (error) {
      // Text that is not a style sheet is rejected as a whole.
      expect(error).toMatchObject({ code: 'request.invalid' });
    }
  });

  it('are removed one by one', () => expect(kept('color:red;position:fixed;margin:0')).toBe('color:red;margin:0'));
  it('are not joined where a comment is removed', () => expect(kept('position:fi/*x*/xed')).toBe(''));
  it('keep strings that contain comment delimiters', () =>
    expect(kept('font-family:"a/*";color:red;font-family:"*/"')).toBe('color:red;font-family:"*/"'));
});

describe('at-rules', () => {
  it.each([
    ['@media (max-width: 600px){.a{color:red}}', '@media (max-width: 600px){.portal .a{color:red}}'],
    ['@media (width <= 600px){.a{color:red}}', '@media (width <= 600px){.portal .a{color:red}}'],
    ['@supports (display: grid){@media print{.a{color:red}}}', '@supports (display: grid){@media print{.portal .a{color:red}}}'],
    ['@KEYFRAMES spin{from{opacity:0}50%,to{opacity:1}}', '@keyframes portal-spin{from{opacity:0}50%,to{opacity:1}}'],
    [
      '.a{animation:spin 1s, other 2s}@keyframes spin{to{opacity:1}}',
      '.portal .a{animation:portal-spin 1s, other 2s}@keyframes portal-spin{to{opacity:1}}',
    ],
    ['@keyframes x{to{position:fixed;opacity:1;background:url(//e)}}', '@keyframes portal-x{to{opacity:1}}'],
  ])('are kept with their safe content: %s', (css, scoped) => expect(scopeCss(css)).toBe(scoped));

  it.each([
    '@import "https://e.example/x.css";',
    '@import url(//e.example);',
    '@IMPORT "x";',
    '@charset "utf-8";',
    '@namespace svg url(x);',
    '@i/**/mport "x";',
    '@font-face{font-family:x;src:url(https://e.example/x.woff2)}',
    '@page{margin:0}',
    '@property --x{syntax:"<url>";inherits:true;initial-value:url(x)}',
    '@layer x{.a{color:red}}',
    '@scope (.portal) to (x){a{color:red}}',
    '@counter-style x{system:cyclic;symbols:"Call us"}',
    '@media print{}',
    '@media screen and (x</style>){a{color:red}}',
    '@media \\70rint{a{color:red}}',
    '@view-transition{navigation:auto}',
    '@keyframes "x"{to{opacity:1}}',
    '@unknown{a{color:red}}',
  ])('are removed: %s', (css) => expect(scopeCss(css)).toBe(''));

  it('are removed if nested too deeply', () =>
    expect(scopeCss(`${'@media print{'.repeat(1400)}.a{color:red}${'}'.repeat(1400)}`)).toBe(''));
});

describe('invalid CSS', () => {
  it.each([
    ['.a{color:red', /^Line 1: unclosed block$/],
    ['.a{\n  color:red;\n  font-family:"x;\n}', /^Line 3: unclosed string$/],
    ['.a{}\n}', /^Line 2: unexpected }$/],
    ['/* never', /^Line 1: unclosed comment$/],
    ['@\\69mport "x";', /^Line 1: at-rule without name$/],
    ['nonsense', /^Line 1: unknown word/],
    ['.a{color red}', /^Line 1: unknown word/],
  ])('is rejected with its position: %j', (css, message) => {
    let refused: unknown;
    try {
      scopeCss(css);
    } catch (error) {
      refused = error;
    }
    expect(refused).toMatchObject({ code: 'request.invalid', fields: [{ path: 'custom_css', message: expect.stringMatching(message) }] });
  });
});

it('empty CSS stays empty', () => expect(scopeCss('')).toBe(''));
it('scoping is idempotent', () => {
  const once = scopeCss('body{color:red} .a,.b>c{margin:0 auto} @media (min-width:1px){a{color:blue}}');
  expect(scopeCss(once)).toBe(once);
});
it('large and deeply nested style sheets do not exhaust the stack', () => {
  const css = '(['.repeat(5_000);
  expect(() => scopeCss(css)).toThrow();
  expect(scopeCss('a,'.repeat(9_000) + 'a{color:red}').length).toBeLessThan(100_000);
  expect(scopeCss(`.a{--x:${'('.repeat(9_000)}${')'.repeat(9_000)}}`)).toBe('');
  expect(scopeCss(`.portal${':not('.repeat(3_000)}a${')'.repeat(3_000)} ~ b{color:red}`)).toBe('');
});
