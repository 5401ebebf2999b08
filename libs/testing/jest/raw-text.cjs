/** Transforms a text file into a module with its text, as Vite does with `?raw`. */
module.exports = {
  process: (text) => ({ code: `exports.__esModule = true; exports.default = ${JSON.stringify(text)};` }),
};
