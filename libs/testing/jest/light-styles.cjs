const { createRequire } = require('node:module');

/**
 * Reduces what jsdom computes for `getComputedStyle` to what queries by role and visibility read: `display`, `visibility` and
 * `pointer-events`. Page tests load no style sheets. jsdom would match each element with the 120 rules of its own sheet and compute eleven
 * colors. To be loaded before jsdom, whose modules keep what they import.
 */
const ofJsdom = createRequire(createRequire(require.resolve('jest-environment-jsdom')).resolve('jsdom'));
const sheet = ofJsdom.resolve('./jsdom/browser/default-stylesheet.js');

/** The rules for `display`, with one rule per value. Rules for attributes and states come last: jsdom knows no specificity, only order. */
function displayRules(text) {
  const [tags, states] = [new Map(), new Map()];
  for (const { selectorText, style } of ofJsdom('rrweb-cssom').parse(text).cssRules) {
    if (!style?.display) continue;
    const group = /[[:]/.test(selectorText) ? states : tags;
    group.set(style.display, [...(group.get(style.display) ?? []), selectorText]);
  }
  return [...tags, ...states].map(([display, selectors]) => `${selectors.join(', ')} { display: ${display} }`).join('\n');
}

const rules = displayRules(ofJsdom(sheet));
require.cache[sheet].exports = rules;

const { propertiesWithResolvedValueImplemented: computed } = ofJsdom('./jsdom/living/helpers/style-rules.js');
for (const name of Object.keys(computed)) if (!['visibility', 'pointer-events'].includes(name)) delete computed[name];
