/**
 * The webhook sink of a local Tandem, a separate process. Listens on 127.0.0.1 unless WEBHOOK_SINK_HOST is set, on WEBHOOK_SINK_PORT;
 * default: 4545.
 */
import { WebhookSink } from './sink';

async function main(): Promise<void> {
  const { WEBHOOK_SINK_HOST: host, WEBHOOK_SINK_PORT: port = '4545' } = process.env;
  const sink = await WebhookSink.start({ host, port: Number(port) });
  console.log(`Webhook sink: ${sink.url} · webhooks go to ${sink.hookUrl}`);
  const stop = () => void sink.close().then(() => process.exit(0));
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
