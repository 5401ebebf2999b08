import { AppError } from '@tandem/contracts';
import { CssSyntaxError, parse, type AtRule, type ChildNode, type Container, type Declaration, type Root, type Rule } from 'postcss';
import { scopedSelector } from './css-selector';
import { plainText, safeDeclaration } from './css-value';

/** Allowed conditional at-rules. Excludes `@import`, `@font-face`, `@layer`, `@scope`, `@property`, `@page` and future ones. */
const conditions = new Set(['media', 'supports', 'container']);
const deepest = 6;

/** Animation names are global to the page, so the organization's get a prefix. */
const animationPrefix = 'portal-';

/**
 * Sanitizes an organization's style sheet for its public pages: parses it and writes only what is allowed, with every rule scoped to
 * `.portal`. The result loads no external resources, covers no other content and adds no text. Nested rules are removed, because `&` can
 * match elements outside of the visible selector. Throws `request.invalid` with the line of a syntax error.
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
    // `<` only for widths: `(width <= 600px)`.
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

  /** Renames references to the sheet's own animations. */
  private named(property: string, value: string): string {
    if (!/^(?:-webkit-)?animation(?:-name)?$/i.test(property)) return value;
    return value.replace(/[\w-]+/g, (word) => (this.animations.has(word) ? `${animationPrefix}${word}` : word));
  }
}
