import { sanitizeTemplate } from './mail-template';

const publicUrl = 'https://tandem.example';
const clean = (html: string) => sanitizeTemplate(html, publicUrl);
const id = '01980000-0000-7000-8000-000000000001';

it.each([
  '<p>Hello <strong>you</strong>, <em>this</em> is <u>us</u></p>',
  '<h1>Acme</h1><ul><li>One</li></ul><hr />',
  '<a href="https://acme.example/x?a=1&amp;b=2" title="Us">Us</a> <a href="mailto:us@acme.example">Mail</a>',
  '<img src="https://acme.example/logo.png" alt="Acme" width="120" height="40" />',
  '<table width="100%" cellpadding="0"><tbody><tr><td align="center" style="padding:8px 16px;background-color:#eeeeee">Acme</td></tr></tbody></table>',
  '<p style="color:#333333;font-size:12px;font-family:Georgia, serif;border-top:1px solid #cccccc;text-align:center">Acme</p>',
])('keeps %s', (html) => expect(clean(html)).toBe(html));

it('makes the URL of our own image absolute, once', () => {
  const whole = `<img src="${publicUrl}/api/v1/public/branding-assets/${id}" alt="" />`;
  expect(clean(`<img src="/api/v1/public/branding-assets/${id}" alt="">`)).toBe(whole);
  expect(clean(whole)).toBe(whole);
});

it.each([
  ['<script>alert(1)</script>Hi', 'Hi'],
  ['<style>p{color:red}</style>Hi', 'Hi'],
  ['<p onclick="x()" class="a" id="b">Hi</p>', '<p>Hi</p>'],
  ['<a href="javascript:alert(1)">Hi</a>', '<a>Hi</a>'],
  ['<a href=" java\tscript:alert(1)">Hi</a>', '<a>Hi</a>'],
  ['<a href="data:text/html,x">Hi</a>', '<a>Hi</a>'],
  ['<a href="//evil.example">Hi</a>', '<a>Hi</a>'],
  ['<a href="/tickets">Hi</a>', '<a>Hi</a>'],
  ['<img src="http://acme.example/x.png">Hi', 'Hi'],
  ['<img src="data:image/svg+xml,<svg onload=x>">Hi', 'Hi'],
  ['<img src="/api/v1/tickets">Hi', 'Hi'],
  ['<img src="/api/v1/public/branding-assets/../../auth/sign-out">Hi', 'Hi'],
  ['<img src=x onerror=alert(1)>Hi', 'Hi'],
  ['<iframe src="https://e.example"></iframe><form action="/x"><input name="a"></form>Hi', 'Hi'],
  ['<svg><script>x</script></svg><math><mi>Hi</mi></math>', 'Hi'],
  ['<meta http-equiv="refresh" content="0;url=//e"><base href="//e"><link rel="stylesheet" href="//e">Hi', 'Hi'],
  ['<p style="position:fixed;display:none;color:red;background:url(//e)">Hi</p>', '<p style="color:red">Hi</p>'],
  ['<p style="color:expression(x);width:1px;margin:-99px">Hi</p>', '<p style="width:1px">Hi</p>'],
  ['<!-- secret --><p>Hi', '<p>Hi</p>'],
  ['<p>Hi</div></table>', '<p>Hi</p>'],
  ['1 < 2 & 3', '1 &lt; 2 &amp; 3'],
  ['', ''],
])('%j becomes %j', (html, safe) => {
  expect(clean(html)).toBe(safe);
  expect(clean(safe)).toBe(safe);
});

it('accepts deep nesting', () => expect(clean('<div>'.repeat(2_000)).length).toBeLessThan(10_000));
