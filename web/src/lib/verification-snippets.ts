/** Code that verifies Tandem's requests, per language. Each is a whole program that uses only the language's standard library. */
export interface VerificationSnippet {
  value: 'node' | 'python' | 'go' | 'ruby' | 'php' | 'shell';
  label: string;
  /** Name under which to save it. */
  file: string;
  /** How to start it, with the secret in the environment. */
  run: string;
  code: string;
}

const node = (id: string) => `// Verifies the requests of Tandem endpoint ${id}
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const key = Buffer.from(process.env.TANDEM_WEBHOOK_SECRET.replace('whsec_', ''), 'base64');

export function verify(body, headers) {
  const id = headers['webhook-id'];
  const timestamp = headers['webhook-timestamp'];
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300)) return false; // older than 5 minutes: a repeated request
  const expected = createHmac('sha256', key).update(\`\${id}.\${timestamp}.\`).update(body).digest();
  // Several signatures while the secret is being rotated
  return (headers['webhook-signature'] ?? '').split(' ').some((each) => {
    const received = Buffer.from(each.replace('v1,', ''), 'base64');
    return received.length === expected.length && timingSafeEqual(received, expected);
  });
}

createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks); // the exact bytes: parse JSON only after verifying
    if (!verify(body, request.headers)) return response.writeHead(400).end();
    console.log(JSON.parse(body).event);
    response.writeHead(204).end(); // answer first, work later
  });
}).listen(process.env.PORT ?? 4000);
`;

const python = (id: string) => `# Verifies the requests of Tandem endpoint ${id}
import base64, hashlib, hmac, json, os, time
from http.server import BaseHTTPRequestHandler, HTTPServer

KEY = base64.b64decode(os.environ["TANDEM_WEBHOOK_SECRET"].removeprefix("whsec_"))


def verify(body, headers):
    id, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > 300:
        return False  # older than 5 minutes: a repeated request
    digest = hmac.new(KEY, f"{id}.{timestamp}.".encode() + body, hashlib.sha256).digest()
    expected = "v1," + base64.b64encode(digest).decode()
    # Several signatures while the secret is being rotated
    return any(hmac.compare_digest(expected, each) for each in headers.get("webhook-signature", "").split(" "))


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))  # the exact bytes: parse JSON only after verifying
        if verify(body, self.headers):
            print(json.loads(body)["event"], flush=True)
            self.send_response(204)  # answer first, work later
        else:
            self.send_response(400)
        self.end_headers()


if __name__ == "__main__":
    HTTPServer(("", int(os.environ.get("PORT", "4000"))), Handler).serve_forever()
`;

const go = (id: string) => `// Verifies the requests of Tandem endpoint ${id}
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

func verify(body []byte, header http.Header) bool {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(os.Getenv("TANDEM_WEBHOOK_SECRET"), "whsec_"))
	if err != nil {
		return false
	}
	id, timestamp := header.Get("webhook-id"), header.Get("webhook-timestamp")
	sent, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || math.Abs(float64(time.Now().Unix()-sent)) > 300 {
		return false // older than 5 minutes: a repeated request
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + timestamp + "."))
	mac.Write(body)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	// Several signatures while the secret is being rotated
	for _, each := range strings.Split(header.Get("webhook-signature"), " ") {
		if hmac.Equal([]byte(each), []byte(expected)) {
			return true
		}
	}
	return false
}

func main() {
	port := os.Getenv("PORT")
	if port == "" {
		port = "4000"
	}
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body) // the exact bytes: parse JSON only after verifying
		if err != nil || !verify(body, r.Header) {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		fmt.Println(string(body))
		w.WriteHeader(http.StatusNoContent) // answer first, work later
	})
	if err := http.ListenAndServe(":"+port, nil); err != nil {
		panic(err)
	}
}
`;

const ruby = (id: string) => `# Verifies the requests of Tandem endpoint ${id}
# In Rails: verify(request.raw_post, request.headers)
require "json"
require "openssl"
require "socket"

KEY = ENV.fetch("TANDEM_WEBHOOK_SECRET").delete_prefix("whsec_").unpack1("m")

def verify(body, headers)
  id, timestamp = headers["webhook-id"], headers["webhook-timestamp"]
  return false if (Time.now.to_i - timestamp.to_i).abs > 300 # older than 5 minutes: a repeated request
  digest = OpenSSL::HMAC.digest("SHA256", KEY, "#{id}.#{timestamp}.".b + body.b)
  expected = "v1," + [digest].pack("m0")
  # Several signatures while the secret is being rotated
  headers["webhook-signature"].to_s.split(" ").any? { |each| OpenSSL.secure_compare(each, expected) }
end

if __FILE__ == $PROGRAM_NAME
  $stdout.sync = true # shows each event immediately, also in a log file
  server = TCPServer.new(Integer(ENV.fetch("PORT", "4000")))
  loop do
    client = server.accept
    client.gets # the request line
    headers = {}
    while (line = client.gets) && line != "\\r\\n"
      name, value = line.chomp.split(": ", 2)
      headers[name.downcase] = value
    end
    body = client.read(headers["content-length"].to_i) # the exact bytes: parse JSON only after verifying
    verified = verify(body, headers)
    client.write("HTTP/1.1 #{verified ? "204 No Content" : "400 Bad Request"}\\r\\nConnection: close\\r\\n\\r\\n")
    client.close # answer first, work later
    puts JSON.parse(body)["event"] if verified
  end
end
`;

const php = (id: string) => `<?php
// Verifies the requests of Tandem endpoint ${id}
function verify(string $body, array $headers): bool
{
    $key = base64_decode(substr(getenv('TANDEM_WEBHOOK_SECRET'), strlen('whsec_')));
    $id = $headers['webhook-id'] ?? '';
    $timestamp = $headers['webhook-timestamp'] ?? '';
    if (abs(time() - (int) $timestamp) > 300) return false; // older than 5 minutes: a repeated request
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    // Several signatures while the secret is being rotated
    foreach (explode(' ', $headers['webhook-signature'] ?? '') as $each) {
        if (hash_equals($expected, $each)) return true;
    }
    return false;
}

$body = file_get_contents('php://input'); // the exact bytes: parse JSON only after verifying
if (!verify($body, array_change_key_case(getallheaders()))) {
    http_response_code(400);
    exit;
}
http_response_code(204); // answer first, work later
error_log(json_decode($body, true)['event']);
`;

const shell = (id: string) => `#!/bin/sh
# Verifies one saved request of Tandem endpoint ${id}
# Save the exact body as body.json and set the three headers:
#   WEBHOOK_ID, WEBHOOK_TIMESTAMP, WEBHOOK_SIGNATURE
key=$(printf '%s' "\${TANDEM_WEBHOOK_SECRET#whsec_}" | base64 -d | od -An -v -tx1 | tr -d ' \\n')
expected=$({ printf '%s.%s.' "$WEBHOOK_ID" "$WEBHOOK_TIMESTAMP"; cat body.json; } |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | base64)
for each in $WEBHOOK_SIGNATURE; do
  if [ "$each" = "v1,$expected" ]; then
    echo "The signature is valid"
    exit 0
  fi
done
echo "The signature is not valid" >&2
exit 1
`;

const secret = 'TANDEM_WEBHOOK_SECRET=whsec_…';

/** The snippets of one endpoint. They read its secret from the environment variable TANDEM_WEBHOOK_SECRET. */
export const verificationSnippets = (endpointId: string): VerificationSnippet[] => [
  { value: 'node', label: 'Node', file: 'webhook.mjs', run: `${secret} node webhook.mjs`, code: node(endpointId) },
  { value: 'python', label: 'Python', file: 'webhook.py', run: `${secret} python3 webhook.py`, code: python(endpointId) },
  { value: 'go', label: 'Go', file: 'main.go', run: `${secret} go run main.go`, code: go(endpointId) },
  { value: 'ruby', label: 'Ruby', file: 'webhook.rb', run: `${secret} ruby webhook.rb`, code: ruby(endpointId) },
  { value: 'php', label: 'PHP', file: 'webhook.php', run: `${secret} php -S localhost:4000 webhook.php`, code: php(endpointId) },
  { value: 'shell', label: 'Command line', file: 'verify.sh', run: `${secret} sh verify.sh`, code: shell(endpointId) },
];
