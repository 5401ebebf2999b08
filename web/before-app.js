// Sets the theme before the first paint, so that a dark page does not flash white. lib/theme.ts keeps it up to date afterwards.
(function () {
  var chosen = null;
  try {
    chosen = localStorage.getItem('theme');
  } catch (_) {
    // Storage may be blocked: use the system's theme.
  }
  var dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
})();
// Marks the last button that was pressed in the first HTML, which does nothing. lib/first-html.ts presses that of the app.
addEventListener('click', function (event) {
  var button = event.target.closest('#first-html button');
  if (!button) return;
  var earlier = document.querySelector('[data-pressed]');
  if (earlier) delete earlier.dataset.pressed;
  button.dataset.pressed = '';
});
