// Runs before anything is painted, so that a dark screen never flashes white. lib/theme.ts keeps it up to date afterwards.
(function () {
  var chosen = null;
  try {
    chosen = localStorage.getItem('theme');
  } catch (_) {
    // Storage can be forbidden: the system's theme it is.
  }
  var dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
})();
