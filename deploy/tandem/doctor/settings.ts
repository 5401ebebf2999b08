import { ConfigError, secretList, serviceConfig } from '@tandem/platform';
import { failed, ok, type Finding } from './finding';

/** The variables that all processes share, as the processes check them at start. */
export function checkSettings(): Promise<Finding[]> {
  const problems: string[] = [];
  try {
    serviceConfig(
      'identity',
      {
        SESSION_SECRET: secretList().describe('Signs access and CSRF tokens.'),
        LINK_SECRET: secretList().describe('Signs reply addresses in emails and links to files.'),
      },
      {
        PUBLIC_URL: process.env.PUBLIC_URL,
        PORTAL_DOMAINS: process.env.PORTAL_DOMAINS,
        SINGLE_ORGANIZATION: process.env.SINGLE_ORGANIZATION,
        CONTEXT_SECRET: process.env.CONTEXT_SECRET,
        SESSION_SECRET: process.env.SESSION_SECRET,
        LINK_SECRET: process.env.LINK_SECRET,
        ENCRYPTION_KEYS: process.env.ENCRYPTION_KEYS,
        NATS_URL: process.env.NATS_URL,
        NATS_STREAM: process.env.NATS_STREAM,
        NATS_STREAM_REPLICAS: process.env.NATS_STREAM_REPLICAS,
        NATS_STREAM_MAX_BYTES: process.env.NATS_STREAM_MAX_BYTES,
        EVENTS_PREFIX: process.env.EVENTS_PREFIX,
        REDIS_URL: process.env.REDIS_URL,
        IDENTITY_DATABASE_URL: process.env.IDENTITY_DATABASE_URL,
      },
    );
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    problems.push(...error.problems);
  }
  if (problems.length === 0) return Promise.resolve([ok('Variables and secrets are complete and well-formed.')]);
  return Promise.resolve(problems.map((problem) => failed(asSentence(problem), fixOf(problem))));
}

const asSentence = (text: string): string => (/[.!]$/.test(text) ? text : `${text}.`);

function fixOf(problem: string): string {
  const [name] = problem.split(' ');
  // A key other than that of the services could open none of the stored secrets.
  if (problem.includes(' is missing.')) return `Set ${name} to the value that the services have.`;
  return /SECRET/.test(name!)
    ? `Set ${name} to a new secret (openssl rand -base64 32), the same for all processes.`
    : `Correct ${name} in the environment.`;
}
