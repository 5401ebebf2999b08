const { compileMessageOrThrow } = require('@lingui/message-utils/compileMessage');

// Compiles the messages of a catalog, as the build of the pages does (web/vite.catalogs.ts).
exports.process = (source) => {
  const compiled = Object.entries(JSON.parse(source)).map(([key, message]) => [key, compileMessageOrThrow(message)]);
  return { code: JSON.stringify(Object.fromEntries(compiled)) };
};
