import { Branding, contrastOf } from '@tandem/contracts';
import { runWithKillLimit } from '@tandem/testing';
import { organizationTheme, templateOf, textOn } from './theme';

const brandingOf = (chosen: Partial<Branding>) => ({
  ...Branding.parse({ organization_id: '01900000-0000-7000-8000-00000000000a' }),
  ...chosen,
});

describe('colors', () => {
  it.each(['#FFCC00', '#FFFFFF', '#00FF00', '#3B82F6', '#8B5CF6', '#808080', '#000000', '#FF0000'])('text on %s is readable', (color) => {
    expect(contrastOf(textOn(color), color)).toBeGreaterThanOrEqual(3.6);
  });
  it('links do not use a color that is unreadable on white', () => {
    expect(organizationTheme('A', brandingOf({ primary_color: '#FFCC00' }), 'https://x.example').link).toBe('#12151C');
    expect(organizationTheme('A', brandingOf({ primary_color: '#123456' }), 'https://x.example').link).toBe('#123456');
  });
  it('an invalid color is ignored', () =>
    expect(organizationTheme('A', brandingOf({ primary_color: 'red;background:url(//evil)' }), 'https://x.example').primary).toBe(
      '#3B82F6',
    ));
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
