import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { verificationSnippets, type VerificationSnippet } from '../src/lib/verification-snippets';
import { freePort } from './fixtures';

/** Runs the receivers that the settings and the documentation show. */

/** The command of each language, and how to see whether it is installed. */
const commands: Record<
  VerificationSnippet['value'],
  { command: string; version: string[]; start: (file: string, port: number) => string[] }
> = {
  node: { command: process.execPath, version: ['--version'], start: (file) => [file] },
  python: { command: 'python3', version: ['--version'], start: (file) => [file] },
  go: { command: 'go', version: ['version'], start: (file) => ['run', file] },
  ruby: { command: 'ruby', version: ['--version'], start: (file) => [file] },
  php: { command: 'php', version: ['--version'], start: (file, port) => ['-S', `127.0.0.1:${port}`, file] },
  shell: { command: 'openssl', version: ['version'], start: () => [] },
};
const isInstalled = ({ value }: VerificationSnippet) => spawnSync(commands[value].command, commands[value].version).status === 0;

const key = randomBytes(32);
const secret = `whsec_${key.toString('base64')}`;
const body = JSON.stringify({ event: 'ticket.created', data: { ticket: { subject: 'Größe “L” fehlt' } } });
const sign = (text: string, timestamp: number, by = key) =>
  `v1,${createHmac('sha256', by).update(`evt_1.${timestamp}.${text}`).digest('base64')}`;
const now = Math.floor(Date.now() / 1000);

interface Sent {
  body: string;
  timestamp: number;
  signature: string;
}
const valid: Sent = { body, timestamp: now, signature: sign(body, now) };
const cases: [name: string, sent: Sent, isAccepted: boolean][] = [
  ['a signed body', valid, true],
  [
    'a signature of the secret before the rotation, and one of the new secret',
    { ...valid, signature: `${sign(body, now, randomBytes(32))} ${valid.signature}` },
    true,
  ],
  ['a changed body', { ...valid, body: body.replace('created', 'deleted') }, false],
  ['another secret', { ...valid, signature: sign(body, now, randomBytes(32)) }, false],
  ['an old request', { body, timestamp: now - 600, signature: sign(body, now - 600) }, false],
  ['a changed time', { ...valid, timestamp: now - 10 }, false],
  ['no signature', { ...valid, signature: '' }, false],
];

let directory: string;
let running: ChildProcess | undefined;
test.beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'tandem-verify-'));
});
test.afterEach(() => {
  running?.kill();
});
test.afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Starts the receiver and returns a function that sends it a request. */
async function receiver({ value }: VerificationSnippet, file: string): Promise<(sent: Sent) => Promise<boolean>> {
  const port = await freePort();
  const { command, start } = commands[value];
  running = spawn(command, start(file, port), {
    env: { ...process.env, TANDEM_WEBHOOK_SECRET: secret, PORT: String(port) },
    stdio: 'ignore',
  });
  const send = async ({ body: text, timestamp, signature }: Sent) => {
    const headers = { 'webhook-id': 'evt_1', 'webhook-timestamp': String(timestamp), 'webhook-signature': signature };
    const { status } = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body: text });
    expect([204, 400]).toContain(status);
    return status === 204;
  };
  for (let tries = 0; tries < 100; tries += 1) {
    const isUp = await send(valid).then(
      () => true,
      () => false,
    );
    if (isUp) break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return send;
}

/** The shell script verifies a saved request, and does not read its time. */
function savedRequest(file: string): (sent: Sent) => Promise<boolean> {
  return ({ body: text, timestamp, signature }) => {
    writeFileSync(join(directory, 'body.json'), text);
    const request = { WEBHOOK_ID: 'evt_1', WEBHOOK_TIMESTAMP: String(timestamp), WEBHOOK_SIGNATURE: signature };
    const env = { ...process.env, TANDEM_WEBHOOK_SECRET: secret, ...request };
    return Promise.resolve(spawnSync('sh', [file], { cwd: directory, env }).status === 0);
  };
}

for (const snippet of verificationSnippets('0190'))
  test(`the receiver in ${snippet.label} accepts only unchanged requests`, async () => {
    test.skip(!isInstalled(snippet), `${snippet.label} is not installed`);
    const file = join(directory, snippet.file);
    writeFileSync(file, snippet.code);
    const isAccepted = snippet.value === 'shell' ? savedRequest(file) : await receiver(snippet, file);
    const wanted = cases.filter(([name]) => snippet.value !== 'shell' || name !== 'an old request');
    for (const [name, sent, expected] of wanted) expect([name, await isAccepted(sent)]).toEqual([name, expected]);
  });
