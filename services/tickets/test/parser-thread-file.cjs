const { join } = require('node:path');

exports.parserThreadFile = join(__dirname, 'parser-thread.cjs');
