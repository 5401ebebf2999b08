import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { processNames, variablesOf, wholeEnvExample } from './processes';

const file = join(__dirname, '..', '.env.example');

describe('.env.example', () => {
  it('contains every variable of every process with its description (npm run docs regenerates it)', () => {
    const text = wholeEnvExample();
    if (process.env.UPDATE_DOCS) writeFileSync(file, text);
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  it('contains each variable of a process once', () => {
    const lines = wholeEnvExample().split('\n');
    const own = processNames.flatMap((name) => [...variablesOf(name)]);
    const missing = own.filter((name) => !lines.some((line) => line.replace('# ', '').startsWith(`${name}=`)));
    expect(missing).toEqual([]);
    expect([...variablesOf('gateway')]).toEqual(expect.arrayContaining(['PORT', 'SESSION_SECRET', 'TICKETS_URL', 'NATS_URL']));
    expect([...variablesOf('tickets')]).toEqual(expect.arrayContaining(['TICKETS_PORT', 'SWEEP_MS']));
    expect([...variablesOf('tickets')]).not.toContain('SESSION_SECRET');
  });
});
