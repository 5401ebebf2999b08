/** Addresses of the servers of this test run. */
export interface TestServers {
  pgAdminUrl: string;
  natsUrl: string;
  redisUrl: string;
  smtpUrl: string;
  mailboxUrl: string;
  /** Identifies this run: no two runs on one server share a database, stream or key. */
  run: string;
}

/** The servers that Jest's global setup started (or was given). Throws in a test that does not belong to `int` or `e2e`. */
export function testServers(): TestServers {
  const read = (variable: string): string => {
    const value = process.env[variable];
    if (!value) throw new Error(`${variable} is not set: tests that need servers are named *.int.spec.ts or gateway/e2e/*.e2e.spec.ts`);
    return value;
  };
  return {
    pgAdminUrl: read('TEST_PG_ADMIN_URL'),
    natsUrl: read('NATS_URL'),
    redisUrl: read('REDIS_URL'),
    smtpUrl: read('SMTP_URL'),
    mailboxUrl: read('MAILBOX_URL'),
    run: read('TEST_RUN'),
  };
}
