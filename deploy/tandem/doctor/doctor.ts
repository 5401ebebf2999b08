import { isSingleOrganization, Refused } from '../installation';
import { checkEncryptionKeys } from './encryption-keys';
import { checkFiles } from './files';
import { failed, reasonOf, type Finding } from './finding';
import { checkMailIn } from './mail-in';
import { checkMailOut } from './mail-out';
import { checkNats } from './nats';
import { checkOrganizations } from './organizations';
import { checkDatabases, checkServer } from './postgres';
import { checkCertificate, checkDns } from './public-address';
import { checkRedis } from './redis';
import { checkSenderRecords } from './sender-records';
import { checkSettings } from './settings';

const checks = {
  settings: checkSettings,
  postgres: checkServer,
  databases: checkDatabases,
  organizations: checkOrganizations,
  'encryption keys': checkEncryptionKeys,
  nats: checkNats,
  redis: checkRedis,
  files: checkFiles,
  'outgoing email': checkMailOut,
  'incoming email': checkMailIn,
  'sender records': checkSenderRecords,
  dns: checkDns,
  certificate: checkCertificate,
} satisfies Record<string, () => Promise<Finding[]>>;
export type CheckName = keyof typeof checks;

/** Checks that read the databases as the administrator or through the same server. If the server fails, they would repeat its problem. */
const afterPostgres: ReadonlySet<string> = new Set<CheckName>(['databases', 'organizations', 'encryption keys', 'incoming email']);
const needsPostgres = (name: CheckName): boolean => afterPostgres.has(name) || (name === 'sender records' && isSingleOrganization());

/** A missing database, table or column. */
const schemaCodes: ReadonlySet<string> = new Set(['3D000', '42P01', '42703']);
const dnsCodes: ReadonlySet<string> = new Set(['EAI_AGAIN', 'ETIMEOUT', 'ESERVFAIL', 'EREFUSED', 'ECONNREFUSED']);
/** A refused connection to a DNS server has the same code as one to any other server. */
const isLookup = (error: unknown): boolean => /^(query|getaddrinfo)/.test((error as { syscall?: string }).syscall ?? '');

export interface Diagnosis extends Finding {
  check: CheckName;
}

/** Runs all checks. Changes nothing, except for one file that is stored and deleted again. */
export async function diagnose(): Promise<Diagnosis[]> {
  const server = run('postgres');
  const hasServer = (await server).every(({ status }) => status !== 'error');
  const names = (Object.keys(checks) as CheckName[]).filter((name) => hasServer || !needsPostgres(name));
  return (await Promise.all(names.map((name) => (name === 'postgres' ? server : run(name))))).flat();
}

async function run(check: CheckName): Promise<Diagnosis[]> {
  try {
    return (await checks[check]()).map((finding) => ({ check, ...finding }));
  } catch (error) {
    const { code, message } = reasonOf(error);
    // The check of the databases reports a missing database and missing migrations.
    if (needsPostgres(check) && schemaCodes.has(code)) return [];
    if (dnsCodes.has(code) && isLookup(error))
      return [{ check, ...failed(`DNS does not answer: ${message}.`, 'Check DNS_SERVERS, or the DNS servers of this machine.') }];
    if (error instanceof Refused) return [{ check, ...failed(message, 'Set it in the environment of this command.') }];
    return [
      { check, ...failed(`The check failed: ${message}.`, 'Correct the settings that the message names, and run the command again.') },
    ];
  }
}
