/** Opens an external address (identity provider, task tool). Only http(s), so a bad response cannot run a script. */
export function redirectOut(address: string): void {
  if (/^https?:\/\//.test(address)) location.assign(address);
}
