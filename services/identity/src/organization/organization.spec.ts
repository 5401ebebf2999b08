import { subdomainRule, subdomainBase } from '@tandem/contracts';
import { slugOf, subdomainCandidates, teamHost, ticketPrefixOf } from './organization';

describe('slug', () => {
  it.each([
    ['Northwind', 'northwind'],
    ['Northwind Outfitters', 'northwind-outfitters'],
    ['A&B  Co.', 'a-b--co-'],
    ['Café 24/7', 'caf--24-7'],
    ['日本', '--'],
    ['😀', '-'],
  ])('replaces each character of %j outside a-z and 0-9 by one hyphen: %j', (name, slug) => expect(slugOf(name)).toBe(slug));
});

describe('subdomain', () => {
  const candidates = (name: string, random?: () => number) => [...subdomainCandidates(name, random)];

  it('removes characters outside a-z and 0-9', () => expect(subdomainBase('A&B Co. 24/7')).toBe('abco247'));
  it('tries the plain name first', () => expect(candidates('Northwind Outfitters')[0]).toBe('northwindoutfitters'));
  it('appends a number from 0 to 998 to a name shorter than 3 characters', () => {
    expect(candidates('AB', () => 0)[0]).toBe('ab0');
    expect(candidates('AB', () => 0.999999)[0]).toBe('ab998');
  });
  it('appends the number to a longer name only if the plain one is taken', () => {
    expect(candidates('Acme', () => 0.5).slice(0, 2)).toEqual(['acme', 'acme499']);
  });
  it.each(['A', '日本', '-', '9', 'Support', 'www', 'x'.repeat(100), 'a b'.repeat(33)])('tries only valid subdomains for %j', (name) => {
    const all = candidates(name);
    expect(all.length).toBeGreaterThan(20);
    for (const candidate of all) expect(candidate).toMatch(subdomainRule.pattern);
  });
  it('never tries a subdomain twice', () => {
    const all = candidates('Acme');
    expect(new Set(all).size).toBe(all.length);
  });
  it('reserves the names of our own hosts', () => {
    expect(candidates('Support', () => 0)[0]).toBe('support0');
    expect(candidates('API')).not.toContain('api');
  });
});

describe('ticket prefix', () => {
  it.each([
    ['Acme', 'ACME'],
    ['Northwind Outfitters', 'NOR'],
    ['Acme Support Team', 'AST'],
    ['One Two Three Four Five Six', 'OTTFF'],
    ['Élan', 'ELAN'],
    ['X', 'ORG'],
    ['X 1', 'ORG'],
    ['日本', 'ORG'],
    ['42', 'ORG'],
    ['A1B', 'AB'],
    ['A-B-C', 'ABC'],
  ])('of %j is %j', (name, prefix) => {
    expect(ticketPrefixOf(name)).toBe(prefix);
    expect(prefix).toMatch(/^[A-Z]{2,5}$/);
  });
});

describe('the host of a portal URL', () => {
  it.each([
    ['acme', 'acme.tandem.example'],
    [' Acme ', 'acme.tandem.example'],
    ['acme.tandem.example', 'acme.tandem.example'],
    ['https://acme.tandem.example:8443/submit-ticket?a=b', 'acme.tandem.example:8443'],
    ['help.acme.example/', 'help.acme.example'],
    ['localhost', ''],
    ['127.0.0.1', ''],
    ['acme team', ''],
    ['', ''],
  ])('%j is %j', (address, host) => expect(teamHost(address, 'https://tandem.example')).toBe(host));
});
