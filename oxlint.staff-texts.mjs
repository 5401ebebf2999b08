/** Attributes, and properties of objects, that contain a text for people. */
const visibleNames = new Set(
  `label title placeholder aria-label aria-description aria-roledescription aria-valuetext hint description alt error text summary caption
  heading note empty message question unit legend subtitle tooltip confirmLabel`.split(/\s+/),
);
const technicalNames = /^(className|key|id|type|href|to|src|role|name|value|style|as|variant|tone|look|data-.*|aria-.*|.*Class(Name)?)$/;
/** Functions that show their arguments. */
const showing = /^(notify|announce|setError)\b/;
/** Functions whose arguments people do not see. */
const technical =
  /^(t|cn|clsx|call|fetch|log|console\b.*|.*\.(querySelector(All)?|addEventListener|startsWith|endsWith|includes|split|matches|closest))$/;

const sentence = /^[“"(]?[\p{Lu}\u0000].*[\p{L}\u0000][,:.…]?\s+[(“‘]?[\p{L}\d\u0000]/su;
/** Addresses and hosts, as examples. */
const address = /^(\S+@\S+\.\S+|https?:\/\/\S*|[a-z0-9-]+(\.[a-z0-9-]+)+)$/;

const textOf = (node) => {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : '';
  return node.quasis.map(({ value }) => value.cooked ?? '').join('\u0000');
};

/** The node whose value the text becomes: `a && (b ? 'text' : c)` becomes that of the whole. */
function resultOf(node) {
  const { parent } = node;
  const isPart =
    (parent.type === 'ConditionalExpression' && parent.test !== node) ||
    (parent.type === 'LogicalExpression' && (parent.right === node || parent.operator !== '&&')) ||
    /^TS(As|NonNull|Satisfies)/.test(parent.type);
  return isPart ? resultOf(parent) : node;
}

const nameOf = ({ type, name, key }) => (type === 'JSXAttribute' ? name.name : (key?.name ?? key?.value));
const isInError = (node) =>
  node && ((node.type === 'NewExpression' && /(Error|Exception)$/.test(node.callee.name)) || isInError(node.parent));

/** Whether people see a text, as far as its place and its form show. */
function isShown(node, text, sourceCode) {
  if (!/\p{L}/u.test(text) || address.test(text)) return false;
  const result = resultOf(node);
  const { parent } = result;
  if (isInError(parent) || parent.type === 'TaggedTemplateExpression' || /^TS|^Import|^Export|^SwitchCase/.test(parent.type)) return false;
  if (parent.type === 'BinaryExpression' && parent.operator !== '+') return false;
  const attribute = parent.type === 'JSXAttribute' ? parent : parent.type === 'JSXExpressionContainer' ? parent.parent : undefined;
  if (attribute?.type === 'JSXAttribute') {
    return visibleNames.has(nameOf(attribute)) || (!technicalNames.test(nameOf(attribute)) && sentence.test(text));
  }
  // The child of an element.
  if (attribute) return true;
  if (parent.type === 'CallExpression') {
    const callee = sourceCode.getText(parent.callee);
    if (technical.test(callee)) return false;
    if (showing.test(callee)) return true;
  }
  if (parent.type === 'Property' && parent.value === result && visibleNames.has(nameOf(parent)) && /^\p{Lu}/u.test(text)) return true;
  return sentence.test(text);
}

/** Refuses texts in the staff app that are not from the catalog: `t('key')`, see CONTRIBUTING.md. */
const inline = {
  meta: { type: 'suggestion', schema: [], messages: { inline: 'Put “{{text}}” into the catalog, and show it with t(…).' } },
  create(context) {
    const check = (node, text) => context.report({ node, messageId: 'inline', data: { text: text.trim().replaceAll('\u0000', '…') } });
    const checkShown = (node) => isShown(node, textOf(node), context.sourceCode) && check(node, textOf(node));
    return {
      JSXText: (node) => /\p{L}/u.test(node.value) && check(node, node.value),
      Literal: checkShown,
      TemplateLiteral: checkShown,
    };
  },
};

/** A count that chooses between texts has the plurals of English only. */
const plural = {
  meta: { type: 'suggestion', schema: [], messages: { plural: 'Use one text with {count, plural, one {…} other {…}}.' } },
  create: (context) => ({
    ConditionalExpression(node) {
      const { test, consequent, alternate } = node;
      const isOne = test.type === 'BinaryExpression' && /^[!=]==$/.test(test.operator) && test.right.value === 1;
      const isText = ({ type, callee, value }) =>
        type === 'TemplateLiteral' || typeof value === 'string' || (type === 'CallExpression' && callee.name === 't');
      if (isOne && isText(consequent) && isText(alternate)) context.report({ node, messageId: 'plural' });
    },
  }),
};

export default { meta: { name: 'staff-texts' }, rules: { inline, plural } };
