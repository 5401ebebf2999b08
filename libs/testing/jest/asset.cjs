// Replaces stylesheets and images in page tests.
module.exports = '';
