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
