import { replaceFirstHtml } from './first-html';

const page = (first: string, app: string) => {
  document.body.innerHTML = `<div id="first-html">${first}</div><div id="root">${app}</div>`;
};
const field = (name: string) => document.querySelector<HTMLInputElement>(`#root [name="${name}"]`)!;

it('is replaced by the app, with what was typed and the focus', () => {
  page('<input name="email" /><textarea name="text"></textarea>', '<input name="email" /><textarea name="text"></textarea>');
  const heard: string[] = [];
  document.getElementById('root')!.addEventListener('input', ({ target }) => heard.push((target as HTMLInputElement).name));
  document.querySelector<HTMLInputElement>('#first-html input')!.value = 'ada@example.com';
  document.querySelector<HTMLTextAreaElement>('#first-html textarea')!.focus();
  replaceFirstHtml();
  expect(document.getElementById('first-html')).toBeNull();
  expect(field('email').value).toBe('ada@example.com');
  expect(heard).toEqual(['email']);
  expect(document.activeElement).toBe(field('text'));
});

it('does not overwrite a restored draft, and ignores fields that the app does not have', () => {
  page('<input name="email" value="x" /><input name="gone" value="y" />', '<input name="email" value="ada@example.com" />');
  replaceFirstHtml();
  expect(field('email').value).toBe('ada@example.com');
  replaceFirstHtml();
});

it('has the button pressed that was pressed before, with the focus', () => {
  const tabs = '<a href="#tabs">Tabs</a><button>Basic</button><button>React</button><div><button>Copy</button><button>Copy</button></div>';
  page(tabs, tabs);
  const pressed: string[] = [];
  const buttons = [...document.querySelectorAll<HTMLButtonElement>('#root button')];
  for (const [i, button] of buttons.entries()) button.addEventListener('click', () => pressed.push(`${button.textContent} ${i}`));
  const copy = document.querySelectorAll<HTMLButtonElement>('#first-html button')[3]!;
  copy.dataset.pressed = '';
  copy.focus();
  replaceFirstHtml();
  expect(pressed).toEqual(['Copy 3']);
  expect(document.activeElement).toBe(buttons[3]);
});

it('focuses the same link, and presses nothing that the app does not have', () => {
  page('<a href="/docs">Docs</a><button data-pressed>Gone</button>', '<a href="/docs">Docs</a><button>Here</button>');
  const pressed: Event[] = [];
  document.getElementById('root')!.addEventListener('click', (event) => pressed.push(event));
  document.querySelector<HTMLAnchorElement>('#first-html a')!.focus();
  replaceFirstHtml();
  expect(document.activeElement).toBe(document.querySelector('#root a'));
  expect(pressed).toEqual([]);
});
