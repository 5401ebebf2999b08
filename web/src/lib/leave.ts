/** Leads the browser out of the app, to an identity provider or a task tool; only a web address, whatever the server said. */
export function leaveFor(address: string): void {
  if (/^https?:\/\//.test(address)) location.assign(address);
}
