import { safeHtml } from './html';

const png = (bytes: number) => Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47]), Buffer.alloc(bytes)]);
const file = (content_id: string, content: Buffer) => ({ file_name: 'a.png', content_id, content });

describe('the sanitized HTML of an email', () => {
  it.each([
    ['scripts', '<p>a</p><script>alert(1)</script>'],
    ['style sheets', '<style>body{background:url(https://x.test)}</style><p>a</p>'],
    ['forms', '<form action="https://x.test"><input name=p><button>Go</button></form>'],
    ['frames', '<iframe src="https://x.test"></iframe><object data="x"></object><embed src="x">'],
    ['event handlers', '<p onclick="alert(1)">a</p><img src="cid:x" onerror="alert(1)"><svg onload="alert(1)"></svg>'],
    ['links with scripts', '<a href="javascript:alert(1)">a</a><a href=" java&#x09;script:alert(1)">b</a><a href="data:text/html,x">c</a>'],
    [
      'base, meta and link elements',
      '<base href="https://x.test"><meta http-equiv=refresh content="0;url=https://x.test"><link rel=stylesheet href="https://x.test">',
    ],
    ['positioned elements', '<div style="position:fixed;top:0;left:0;z-index:9;opacity:0;margin-left:-500px">a</div>'],
    [
      'styles that load resources',
      '<div style="background:url(https://x.test/a.png);background-image:url(https://x.test);list-style:url(https://x.test)">a</div>',
    ],
    [
      'images that contain a document',
      '<img src="data:image/svg+xml;base64,PHN2Zz4="><img src="data:text/html,x"><img srcset="https://x.test/a 1x" alt=a>',
    ],
    ['tracking pixels', '<img src="https://x.test/p.gif" width="1" height="1">'],
    [
      'CSS expressions and MathML',
      '<div style="width:expression(alert(1));behavior:url(x)">a</div><math><mi xlink:href="javascript:alert(1)">x</mi></math>',
    ],
    ['nested tags', '<scr<script>ipt>alert(1)</scr</script>ipt><<img src=x onerror=alert(1)>'],
  ])('removes %s', (_, html) => {
    const clean = safeHtml(html, []);
    expect(clean).not.toMatch(
      /<(script|style|form|input|button|iframe|object|embed|svg|math|base|meta|link)|\son\w+=|(?:href|src)="(?:javascript|data:text|data:image\/svg)|position|z-index|opacity|url\(|expression|behavior|srcset|-500px/i,
    );
    expect(clean).not.toMatch(/<[^>]*x\.test/);
  });

  it('keeps tables, styles and links', () => {
    const html =
      '<table width="100%" bgcolor="#fff"><tr><td style="color:#333;padding:4px;font-size:12px" align="center">a</td></tr></table>';
    expect(safeHtml(html, [])).toContain('color:#333;padding:4px;font-size:12px');
    expect(safeHtml('<a href="https://x.test/?a=1&amp;b=2">b</a>', [])).toContain('href="https://x.test/?a=1&amp;b=2"');
    expect(safeHtml('<a href="https://x.test">b</a>', [])).toMatch(/rel="noopener noreferrer nofollow"/);
  });

  it('replaces the source of remote images by data-src', () => {
    const clean = safeHtml('<img src="https://x.test/a.png" alt="A" width="10">', []);
    expect(clean).toContain('data-src="https://x.test/a.png"');
    expect(clean).not.toMatch(/\ssrc=/);
  });

  it('embeds small images of the email up to a total size, and omits the others', () => {
    const files = [
      ...Array.from({ length: 8 }, (_, i) => file(`p${i}`, png(90_000))),
      file('large', png(200_000)),
      file('page', Buffer.from('<svg>')),
    ];
    const html = files.map(({ content_id }) => `<img src="cid:${content_id}">`).join('');
    expect(safeHtml(html, files).match(/src="data:image\/png/g)).toHaveLength(3);
  });

  it('has at most 500,000 characters and no incomplete tag', () => {
    const clean = safeHtml('<p style="color:red">&lt;&lt;&lt;&lt;</p>'.repeat(20_000), []);
    expect(clean.length).toBeLessThanOrEqual(500_000);
    expect(clean).toMatch(/>$/);
    const deep = safeHtml('<div>'.repeat(100_000), []);
    expect(deep.length).toBeLessThan(20_000);
  });
});
