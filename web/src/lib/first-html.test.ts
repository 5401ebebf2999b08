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
