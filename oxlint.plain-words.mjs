/** Words that read as translated, and what to write instead. */
export const words = [
  [/\bwho(m|mever|ever)\b/i, 'name the person: customer, teammate, visitor'],
  [/\b(some|no)body\b/i, 'name the person: customer, teammate, visitor'],
  [/\banew\b/i, 'again'],
  [/\bby (itself|themselves)\b/i, 'automatically'],
  [/\bof its own\b/i, 'its own'],
  [/\bat once\b/i, 'immediately'],
  [/\bstands\b/i, 'is'],
  [/\bshall\b/i, 'should'],
  // Only in a sentence: the single word is the name of a field, a folder or a channel.
  [/\bmails?\b(?=.*\s)|(?<=\s.*)\bmails?\b/is, 'email'],
];

/**
 * Refuses words in texts that people see. A text that must keep one, such as one that docs/product-rules.md quotes, is preceded by
 * `oxlint-disable-next-line plain-words/visible-text -- why`.
 */
const visibleText = {
  meta: { type: 'suggestion', schema: [], messages: { word: 'Do not write “{{word}}” in a text that people see: {{instead}}.' } },
  create(context) {
    const check = (node, text) => {
      for (const [pattern, instead] of words) {
        const word = pattern.exec(text)?.[0];
        if (word) context.report({ node, messageId: 'word', data: { word, instead } });
      }
    };
    return {
      JSXText: (node) => check(node, node.value),
      Literal: (node) => typeof node.value === 'string' && check(node, node.value),
      TemplateElement: (node) => check(node, node.value.cooked ?? ''),
    };
  },
};

const levels = ['debug', 'info', 'warn', 'error', 'fatal'];
const nameOf = (node) => (node.type === 'Identifier' ? node.name : node.type === 'MemberExpression' ? node.property.name : undefined);

/** The message of `log.warn({ … }, 'A message')` begins with a capital letter and has no full stop. */
const logMessage = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: { form: 'Begin a log message with a capital letter, and do not end it with a full stop.' },
  },
  create: (context) => ({
    CallExpression({ callee, arguments: given }) {
      if (callee.type !== 'MemberExpression' || nameOf(callee.object) !== 'log' || !levels.includes(callee.property.name)) return;
      const message = given.at(-1);
      const parts = message?.type === 'TemplateLiteral' ? message.quasis.map(({ value }) => value.cooked) : [message?.value];
      if (typeof parts[0] !== 'string') return;
      if (/^\p{Ll}/u.test(parts[0]) || parts.at(-1).endsWith('.')) context.report({ node: message, messageId: 'form' });
    },
  }),
};

export default { meta: { name: 'plain-words' }, rules: { 'visible-text': visibleText, 'log-message': logMessage } };
