import { criticalCss } from '../../vite.critical-css';

const page = '<main class="flex sm:w-1/2 dark:p-2" dir="ltr"><a href="/x">Link</a></main>';
const critical = (css: string, html = page) => criticalCss(css, html);

describe('the styles that a page needs', () => {
  it.each([
    '.flex{display:flex}',
    '@media (min-width:40rem){.sm\\:w-1\\/2{width:50%}}',
    '.dark\\:p-2:where([data-theme=dark],[data-theme=dark] *){padding:2px}',
    '.flex:not(.hidden){margin:0}',
    'main>a:hover{color:red}',
    '[dir=ltr] a{left:0}',
    '*,:after,:before{margin:0}',
    '@layer components;',
    '@font-face{font-family:Inter;src:url(/inter.woff2)}',
  ])('include %s', (css) => expect(critical(css)).toBe(css));

  it.each([
    '.grid{display:grid}',
    '.flex .grid{gap:1px}',
    'table{border:0}',
    '[data-toast]{top:0}',
    '@media print{.grid{gap:0}}',
    '@keyframes spin{to{rotate:1turn}}',
    '@property --gap{syntax:"*";inherits:false}',
    ':root{--unused:1px}',
  ])('do not include %s', (css) => expect(critical(css)).toBe(''));

  it('include the selectors of a list that occur', () => expect(critical('.flex,.grid{gap:0}')).toBe('.flex{gap:0}'));

  it('include variables that are used, also by other variables, and animations', () => {
    const css = ':root{--a:var(--b);--b:1px}.flex{margin:var(--a);animation:spin 1s}@keyframes spin{to{rotate:1turn}}';
    expect(critical(css)).toBe(css);
    expect(critical(':root{--a:var(--b);--b:1px}')).toBe('');
    expect(critical(':root{--c:1px}', '<p style="margin:var(--c)">x</p>')).toBe(':root{--c:1px}');
  });
});
