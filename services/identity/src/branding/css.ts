import { AppError } from '@tandem/contracts';
import { CssSyntaxError, parse, type AtRule, type ChildNode, type Container, type Declaration, type Root, type Rule } from 'postcss';
import { scopedSelector } from './css-selector';
import { plainText, safeDeclaration } from './css-value';

/** Conditions around rules. `@import`, `@font-face`, `@layer`, `@scope`, `@property`, `@page` and what comes next are not among them. */
const conditions = new Set(['media', 'supports', 'container']);
const deepest = 6;

/** An animation has a name for the whole page: ours keep theirs. */
const animationPrefix = 'portal-';

/**
 * The part of an organization's style sheet that its public pages get: parsed, and written anew from what is allowed, with every rule below
 * `.portal`. Nothing in it loads from elsewhere, stands above the page, or puts words on it. Nested rules are left out, because `&` reaches
 * places that their selector does not show. Throws `request.invalid` with the place where the text is no style sheet.
 */
export function scopeCss(css: string): string {
  const sheet = parsed(css);
  const animations = new Set<string>();
  sheet.walkAtRules(/^(?:-webkit-)?keyframes$/i, ({ params }) => void animations.add(plainText(params)));
  return new Scope(animations).rulesOf(sheet, 0);
}

function parsed(css: string): Root {
  try {
    return parse(css, { map: false });
  } catch (error) {
    if (!(error instanceof CssSyntaxError)) throw error;
    const message = `Line ${error.line ?? 1}: ${error.reason.charAt(0).toLowerCase()}${error.reason.slice(1)}`;
    throw new AppError('request.invalid', { detail: message, fields: [{ path: 'custom_css', code: 'custom', message }] });
  }
}

class Scope {
  constructor(private readonly animations: ReadonlySet<string>) {}

  rulesOf(parent: Container<ChildNode>, depth: number): string {
    return (parent.nodes ?? [])
      .map((node) => {
        if (node.type === 'rule') return this.rule(node);
        return node.type === 'atrule' ? this.atRule(node, depth) : '';
      })
      .join('');
  }

  private rule(rule: Rule): string {
    const selectors = rule.selectors.map(scopedSelector).filter((selector) => selector !== undefined);
    const body = this.declarationsOf(rule);
    return selectors.length === 0 || body === '' ? '' : `${selectors.join(',')}{${body}}`;
  }

  private atRule(rule: AtRule, depth: number): string {
    const name = rule.name.toLowerCase();
    const params = plainText(rule.params);
    if (name === 'keyframes' || name === '-webkit-keyframes') return this.keyframes(rule, name, params);
    // `<` is for widths alone: `(width <= 600px)`.
    if (!conditions.has(name) || depth >= deepest || !/^[\w\s:().,=><%*/-]+$/.test(params) || /<(?!=?\s*[\d(-])/.test(params)) return '';
    const rules = this.rulesOf(rule, depth + 1);
    return rules === '' ? '' : `@${name} ${params}{${rules}}`;
  }

  private keyframes(rule: AtRule, name: string, params: string): string {
    if (!/^-?[a-z_][\w-]*$/i.test(params)) return '';
    const frames = (rule.nodes ?? [])
      .filter((node): node is Rule => node.type === 'rule' && /^[\d\s.,%a-z]+$/i.test(plainText(node.selector)))
      .map((frame) => `${plainText(frame.selector)}{${this.declarationsOf(frame)}}`);
    return frames.length === 0 ? '' : `@${name} ${animationPrefix}${params}{${frames.join('')}}`;
  }

  private declarationsOf(rule: Rule): string {
    return (rule.nodes ?? [])
      .filter((node): node is Declaration => node.type === 'decl')
      .map(({ prop, value, important }) => safeDeclaration(prop, this.named(prop, value), important ?? false))
      .filter((declaration) => declaration !== undefined)
      .join(';');
  }

  /** An animation of the sheet's own, by the name it has on the page. */
  private named(property: string, value: string): string {
    if (!/^(?:-webkit-)?animation(?:-name)?$/i.test(property)) return value;
    return value.replace(/[\w-]+/g, (word) => (this.animations.has(word) ? `${animationPrefix}${word}` : word));
  }
}
