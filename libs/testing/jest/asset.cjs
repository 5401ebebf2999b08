// What a stylesheet or an image is to a page under test: nothing.
module.exports = '';
