import { Branding, contrastOf } from '@tandem/contracts';
import { runWithKillLimit } from '@tandem/testing';
import { organizationTheme, productTheme, templateOf } from './theme';

const brandingOf = (chosen: Partial<Branding>) => ({
  ...Branding.parse({ organization_id: '01900000-0000-7000-8000-00000000000a' }),
  ...chosen,
});

describe('colors', () => {
  const colors = (primary_color: string) => organizationTheme('A', brandingOf({ primary_color }), 'https://x.example').colors;
  it.each(['#FFCC00', '#FFFFFF', '#00FF00', '#3B82F6', '#8B5CF6', '#808080', '#000000', '#FF0000'])(
    'buttons and links of the brand color %s are readable in light and dark',
    (color) => {
      const { light, dark } = colors(color);
      for (const { button, onButton } of [light, dark]) expect(contrastOf(onButton, button)).toBeGreaterThanOrEqual(4.5);
      // The backgrounds of the email's sheet.
      expect(contrastOf(light.link, '#FFFFFF')).toBeGreaterThanOrEqual(4.5);
      expect(contrastOf(dark.link, '#1A1F22')).toBeGreaterThanOrEqual(4.5);
    },
  );
  it('a readable color is used unchanged', () => {
    expect(colors('#123456').light).toEqual({ button: '#123456', onButton: '#ffffff', link: '#123456' });
    expect(productTheme('A', 'https://x.example').colors.light.button).toBe('#0b6b78');
  });
  it('an invalid color is ignored', () => expect(colors('red;background:url(//evil)')).toEqual(colors('#3B82F6')));
});

describe('the logo', () => {
  const logo = (logo_url: string) => organizationTheme('A', brandingOf({ logo_url }), 'https://x.example/app').logo;
  it('is loaded from our own address', () =>
    expect(logo('/api/v1/public/branding-assets/1')).toBe('https://x.example/api/v1/public/branding-assets/1'));
  it.each(['//evil.example/a.png', 'https://evil.example/a.png', '/\\evil.example', 'javascript:alert(1)', '/a" onload="x'])(
    'is omitted for %s',
    (url) => expect(logo(url)).toBeNull(),
  );
});

describe('a template', () => {
  it.each([
    ['<script>alert(1)</script><p>Hi</p>', '<p>Hi</p>'],
    ['<p onclick="x()">Hi</p>', '<p>Hi</p>'],
    ['<img src="https://evil.example/pixel.gif">Hi', 'Hi'],
    ['<a href="javascript:alert(1)">Hi</a>', '<a>Hi</a>'],
    ['<a href="//evil.example">Hi</a>', '<a>Hi</a>'],
    ['<p style="position:fixed;top:0;color:#ff0000">Hi</p>', '<p style="color:#ff0000">Hi</p>'],
    ['<p style="background:url(https://evil.example)">Hi</p>', '<p>Hi</p>'],
    ['</td></tr></table></body>Hi<style>*{display:none}</style>', 'Hi'],
    ['<!--[if mso]><p>x</p><![endif]-->Hi', 'Hi'],
    ['<iframe src="https://evil.example"></iframe><form action="/x"><input></form>Hi', 'Hi'],
    ['<div><b>Hi', '<div><b>Hi</b></div>'],
  ])('%s becomes %s', (typed, html) => expect(templateOf(typed)?.html).toBe(html));
  it('without text is empty', () => expect(templateOf('<p> </p><img src=x>')).toBeNull());
  it('has a plain-text version', () => expect(templateOf('<p>Acme &amp; Co</p><p>Main Street</p>')?.text).toBe('Acme & Co\n\nMain Street'));
  it.each(['<div>'.repeat(2_000), '<b style="'.repeat(1_000), 'a{'.repeat(5_000)])(
    'that is hostile is processed before the kill limit (%#)',
    (html) => {
      expect(() => runWithKillLimit(() => templateOf(html))).not.toThrow();
    },
  );
});
