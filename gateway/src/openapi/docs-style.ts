/** The style of the API reference: one file, no images, no fonts. */
export const docsStyle = `:root{color-scheme:light dark;--text:#1c2333;--soft:#596275;--line:#e3e7ee;--page:#fff;--tint:#f5f7fa;--link:#00636f;--code:#18203a;--code-text:#e6eaf5;--code-soft:#9aa7c7;--code-line:#2b3657;--name:#9ecbff;--value:#a8e6b8;
--get:#1c6e4a;--post:#00636f;--patch:#8a5300;--delete:#a8262f;font:15px/1.55 system-ui,sans-serif;scroll-padding-top:4.5rem}
@media(prefers-color-scheme:dark){:root{--text:#e7eaf2;--soft:#a3acc0;--line:#2c3344;--page:#12151d;--tint:#1a1f2b;--link:#71cfd7;--code:#0b0e16;--code-line:#28314a;--get:#6fd3a5;--post:#71cfd7;--patch:#f0bd6c;--delete:#ff9a9f}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--text)}
a{color:var(--link);text-decoration:none}main p a,.problems a{text-decoration:underline}a:hover{text-decoration:underline}
a:focus-visible,button:focus-visible,summary:focus-visible,input:focus-visible,textarea:focus-visible,pre:focus-visible{outline:2px solid var(--link);outline-offset:2px}
header{position:sticky;top:0;z-index:2;display:flex;justify-content:space-between;gap:1rem;align-items:center;height:3.5rem;padding:0 1.5rem;background:var(--page);border-bottom:1px solid var(--line)}
header>a{font-weight:700;color:var(--text)}
header nav{display:flex;gap:1.25rem;font-size:.875rem}
.page{display:grid;grid-template-columns:17rem minmax(0,1fr);max-width:100rem;margin:0 auto}
aside{position:sticky;top:3.5rem;align-self:start;max-height:calc(100vh - 3.5rem);overflow-y:auto;padding:1.25rem 1rem 2rem 1.5rem;border-right:1px solid var(--line);font-size:.8125rem}
aside ul{list-style:none;margin:.25rem 0 .75rem;padding:0}
aside a{display:flex;gap:.25rem;padding:.2rem .375rem;border-radius:.25rem;color:var(--soft);line-height:1.35}
aside li a:hover{background:var(--tint);color:var(--text);text-decoration:none}
aside summary{cursor:pointer}
aside .group>a{font-weight:600;color:var(--text)}
aside .menu>summary{display:none}
aside .method{flex:none;width:2.75rem;font-size:.625rem;line-height:1.75}
aside input{width:100%;margin:.25rem 0 .75rem}
main{min-width:0;padding:2rem 2.5rem 6rem}
main.plain{max-width:60rem;margin:0 auto}
h1{font-size:2rem;line-height:1.2;margin:0 0 .5rem}
h2{font-size:1.5rem;line-height:1.25;margin:0 0 .5rem}
h3{font-size:1.125rem;line-height:1.35;margin:0 0 .5rem}h3 a,h3 a:hover{color:inherit}
h4{font-size:.75rem;letter-spacing:.04em;text-transform:uppercase;color:var(--soft);margin:1.5rem 0 .25rem}
p{margin:.5rem 0}
.lead{font-size:1.0625rem;color:var(--soft);max-width:44rem}
.subject{margin-top:4rem;padding-top:2rem;border-top:1px solid var(--line)}
.operation{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:2.5rem;padding:2rem 0;border-top:1px solid var(--line)}
.subject>.operation:first-of-type,main>.operation:first-of-type{border-top:0}
.samples{position:sticky;top:4.5rem;align-self:start;min-width:0}
.object{padding:1.25rem 0;border-top:1px solid var(--line);max-width:52rem}
.route{overflow-wrap:anywhere}
.method{display:inline-block;font:700 .75rem/1.5 ui-monospace,monospace;color:var(--soft)}
.method.get{color:var(--get)}.method.post,.method.put{color:var(--post)}.method.patch{color:var(--patch)}.method.delete{color:var(--delete)}
.facts{display:flex;flex-wrap:wrap;gap:.375rem}
.facts span{padding:.125rem .5rem;border:1px solid var(--line);border-radius:1rem;font-size:.8125rem;color:var(--soft)}
code{font:.875em/1.4 ui-monospace,SFMono-Regular,Menlo,monospace;overflow-wrap:anywhere}
dl{margin:.25rem 0}
dl>div{padding:.625rem 0;border-top:1px solid var(--line)}dl>div:first-child{border-top:0}
dt code{font-weight:600}dt span{color:var(--soft);font-size:.8125rem}dt em{font-style:normal;font-size:.75rem;color:var(--patch)}
dd{margin:.125rem 0 0;color:var(--soft);font-size:.875rem}dd:empty{display:none}dd code{color:var(--text)}
dd details{margin-top:.25rem}dd details>dl{padding-left:.875rem;border-left:2px solid var(--line)}dd summary{cursor:pointer;color:var(--link);font-size:.8125rem}
.data{font-size:.9375rem}
.problems{list-style:none;margin:.25rem 0;padding:0;font-size:.875rem;color:var(--soft)}
.problems li{padding:.25rem 0}.problems code{color:var(--text)}
.problems span{display:inline-block;min-width:2rem;font:600 .75rem ui-monospace,monospace}
figure,.events details{margin:0 0 1rem;border-radius:.5rem;overflow:hidden;background:var(--code);color:var(--code-text);border:1px solid var(--code-line)}
figcaption,.events summary{display:flex;justify-content:space-between;align-items:center;min-height:2.5rem;padding:.25rem .5rem .25rem .875rem;font-size:.8125rem;color:var(--code-soft);border-bottom:1px solid var(--code-line)}
.events summary{cursor:pointer;border-bottom:0}.events code{color:var(--code-text)}.events summary::after{content:'▾'}.events [open]>summary::after{content:'▴'}
pre{margin:0;padding:.75rem .875rem;max-height:32rem;overflow:auto;font:.78125rem/1.55 ui-monospace,SFMono-Regular,Menlo,monospace;tab-size:2}
pre b{font-weight:400;color:var(--name)}pre i{font-style:normal;color:var(--value)}
button{font:inherit;font-size:.8125rem;font-weight:600;padding:.25rem .75rem;border:0;border-radius:.375rem;background:#006c78;color:#fff;cursor:pointer}
button:hover{background:#005d68}button:disabled{opacity:.6;cursor:default}button.quiet{background:transparent;border:1px solid var(--line);color:inherit}
label{display:block;font-size:.8125rem;color:var(--soft)}[hidden]{display:none!important}
input,textarea{display:block;width:100%;font:.8125rem/1.5 ui-monospace,SFMono-Regular,Menlo,monospace;padding:.375rem .5rem;border:1px solid var(--line);border-radius:.375rem;background:var(--page);color:var(--text)}
textarea{min-height:9rem;resize:vertical}
dialog{width:min(46rem,calc(100vw - 2rem));max-height:calc(100vh - 3rem);padding:1.25rem;border:1px solid var(--line);border-radius:.75rem;background:var(--page);color:var(--text)}
dialog::backdrop{background:rgb(10 14 25/.55)}
dialog h2{font-size:1.125rem;overflow-wrap:anywhere}dialog form{display:grid;gap:.75rem}dialog .buttons{display:flex;gap:.5rem;justify-content:flex-end}
dialog .fields{display:grid;grid-template-columns:repeat(auto-fill,minmax(13rem,1fr));gap:.75rem}
dialog .fields{margin-top:.5rem}dialog summary{cursor:pointer;color:var(--link);font-size:.8125rem}dialog output{display:block;margin-top:1rem}dialog output pre{max-height:20rem}
table{border-collapse:collapse;display:block;overflow-x:auto}th,td{text-align:left;vertical-align:top;padding:.375rem .75rem .375rem 0;border-top:1px solid var(--line)}
@media(max-width:75rem){.operation{grid-template-columns:minmax(0,1fr);gap:1rem}.samples{position:static}}
@media(max-width:56rem){.page{display:block}aside{position:static;max-height:none;border:0;border-bottom:1px solid var(--line);padding:.75rem 1rem}aside .menu>summary{display:block;font-weight:600;font-size:.9375rem}aside .group>ul{padding-left:.5rem}main{padding:1.5rem 1rem 4rem}header{padding:0 1rem}h1{font-size:1.625rem}}
`;
