/** Programs that retry rejected requests. */

export const backoffTypescript = (
  base: string,
): string => `export async function callTandem(path: string, options: RequestInit = {}): Promise<Response> {
  const headers = new Headers(options.headers);
  headers.set('Authorization', \`Bearer \${process.env.TANDEM_TOKEN}\`);
  for (let attempt = 0; ; attempt += 1) {
    const response = await fetch(\`${base}\${path}\`, { ...options, headers });
    if (![429, 503].includes(response.status) || attempt === 5) return response;
    const seconds = Number(response.headers.get('retry-after')) || 2 ** attempt;
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000 * (1 + Math.random() * 0.2)));
  }
}
`;

export const backoffPython = (base: string): string => `import os, random, time, urllib.error, urllib.request


def call_tandem(path, **options):
    request = urllib.request.Request("${base}" + path, **options)
    request.add_header("Authorization", f"Bearer {os.environ['TANDEM_TOKEN']}")
    for attempt in range(6):
        try:
            return urllib.request.urlopen(request)
        except urllib.error.HTTPError as error:
            if error.code not in (429, 503) or attempt == 5:
                raise
            seconds = int(error.headers.get("Retry-After") or 2**attempt)
            time.sleep(seconds * (1 + random.random() * 0.2))
`;
