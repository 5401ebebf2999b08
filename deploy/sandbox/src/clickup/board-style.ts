/** Styles of the board and of the consent page: light or dark like the system, one column on a phone. */
export const boardStyle = `
:root { color-scheme: light dark;
  --canvas: light-dark(#f7f7f9, #15161b); --surface: light-dark(#fff, #1e2027); --sunken: light-dark(#eeeef2, #191a20);
  --line: light-dark(#dcdce3, #34363f); --control: light-dark(#85858f, #7a7c88); --ink: light-dark(#1d1d24, #ededf2); --muted: light-dark(#5a5a66, #a7a8b4);
  --accent: light-dark(#5b3fc4, #a893ff); --accent-ink: light-dark(#fff, #17112e); --red: light-dark(#b3261e, #ff9a93); --amber: light-dark(#8a5200, #f2b868); }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; background: var(--canvas); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
h1, h2, h3, p { margin: 0; } h1 { font-size: 18px; } h2 { font-size: 17px; overflow-wrap: anywhere; } h3 { font-size: 15px; margin-top: 20px; }
.muted { color: var(--muted); font-size: 13px; } .problem { color: var(--red); padding: 8px 0; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
button, select, input, textarea { font: inherit; color: inherit; background: var(--surface); border: 1px solid var(--control); border-radius: 8px; padding: 7px 12px; min-height: 38px; max-width: 100%; }
button { cursor: pointer; font-weight: 550; } button:hover { background: var(--sunken); }
input[type=checkbox] { min-height: 0; width: 18px; height: 18px; accent-color: var(--accent); margin: 0; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
button.primary { background: var(--accent); border-color: var(--accent); color: var(--accent-ink); } button.primary:hover { filter: brightness(1.08); }
button.danger { color: var(--red); border-color: currentColor; }
label { font-weight: 550; font-size: 14px; } textarea { width: 100%; resize: vertical; }
.top { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 24px; padding: 14px 24px; background: var(--surface); border-bottom: 1px solid var(--line); }
.health { margin-left: auto; font-size: 13px; color: var(--muted); } .health.bad { color: var(--amber); font-weight: 550; } .me { display: flex; align-items: center; gap: 8px; }
#lists { display: flex; flex-wrap: wrap; gap: 4px; padding: 8px 20px 0; background: var(--surface); border-bottom: 1px solid var(--line); }
#lists button { border: 0; border-radius: 8px 8px 0 0; padding: 8px 12px; background: none; color: var(--muted); border-bottom: 2px solid transparent; }
#lists button[aria-current=true] { color: var(--ink); border-bottom-color: var(--accent); } #lists small { font-weight: 400; }
main { padding: 20px 24px; } .bar { display: flex; flex-wrap: wrap; align-items: end; justify-content: space-between; gap: 12px; margin-bottom: 16px; }
#create { display: flex; gap: 8px; flex: 0 1 420px; } #create input { flex: 1; min-width: 0; }
#columns { display: grid; grid-auto-flow: column; grid-auto-columns: minmax(230px, 1fr); gap: 12px; overflow-x: auto; align-items: start; padding: 2px 2px 12px; }
.column { background: var(--sunken); border-radius: 12px; padding: 10px; min-width: 0; } .column h3 { display: flex; align-items: center; gap: 8px; margin: 0 4px 8px; }
.dot { width: 10px; height: 10px; border-radius: 50%; flex: none; } .column h3 span:last-child { margin-left: auto; color: var(--muted); font-weight: 400; }
.cards { list-style: none; margin: 0; padding: 0; display: grid; gap: 8px; } .none { color: var(--muted); font-size: 13px; padding: 6px 4px; }
.card { background: var(--surface); border: 1px solid var(--line); border-radius: 10px; padding: 10px; display: grid; gap: 6px; min-width: 0; }
.card .open { all: unset; cursor: pointer; font-weight: 550; overflow-wrap: anywhere; border-radius: 4px; } .card .open:hover { text-decoration: underline; } .card .open:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.card select { min-height: 32px; padding: 3px 8px; font-size: 13px; border-color: var(--line); width: 100%; }
.about { display: flex; flex-wrap: wrap; gap: 2px 10px; color: var(--muted); font-size: 13px; } .about .p1 { color: var(--red); font-weight: 600; } .about .p2 { color: var(--amber); font-weight: 600; }
dialog { width: min(720px, calc(100vw - 24px)); max-height: calc(100vh - 24px); border: 1px solid var(--line); border-radius: 14px; padding: 20px; background: var(--canvas); color: var(--ink); overflow: auto; }
dialog::backdrop { background: rgb(10 10 16 / 0.5); } dialog > label { display: block; margin: 14px 0 4px; } dialog > input { width: 100%; }
.dialog-head { display: flex; align-items: center; gap: 12px; } .dialog-head button { margin-left: auto; }
.grid { display: grid; grid-template-columns: repeat(3, 1fr); gap: 12px; margin-top: 14px; } .grid select { width: 100%; } .grid label { display: block; margin-bottom: 4px; }
fieldset { border: 1px solid var(--line); border-radius: 10px; margin: 14px 0 0; padding: 8px 12px 12px; } legend { font-weight: 550; font-size: 14px; padding: 0 4px; }
.choices { display: flex; flex-wrap: wrap; gap: 6px 18px; } .choice, .choices label { display: flex; align-items: center; gap: 8px; font-weight: 400; min-height: 32px; }
.buttons { display: flex; flex-wrap: wrap; gap: 10px; margin-top: 14px; } .buttons .danger { margin-left: auto; }
dl { display: grid; grid-template-columns: auto 1fr; gap: 2px 16px; margin: 10px 0 0; font-size: 14px; } dl:empty { display: none; } dt { color: var(--muted); } dd { margin: 0; overflow-wrap: anywhere; }
#comments { list-style: none; padding: 0; margin: 8px 0; display: grid; gap: 8px; } #comments li { background: var(--surface); border: 1px solid var(--line); border-radius: 10px; padding: 8px 12px; } #comments p { white-space: pre-wrap; overflow-wrap: anywhere; }
#comment-form { display: grid; gap: 6px; justify-items: start; }
.consent { display: grid; place-items: center; padding: 16px; } .consent main { width: min(460px, 100%); background: var(--surface); border: 1px solid var(--line); border-radius: 16px; padding: 28px; display: grid; gap: 14px; } .consent h1 { font-size: 21px; } .consent form { display: grid; gap: 12px; } .consent fieldset, .consent .buttons { margin: 0; }
@media (max-width: 720px) {
  .top, main { padding-left: 14px; padding-right: 14px; } .health { margin-left: 0; } #lists { padding: 8px 8px 0; flex-wrap: nowrap; overflow-x: auto; } #lists button { flex: none; } #lists small { display: none; }
  #create { flex: 1 1 100%; } #columns { grid-auto-flow: row; grid-auto-columns: auto; overflow-x: visible; } .grid { grid-template-columns: 1fr; } dialog { padding: 16px; }
}
`;
