/** Leads the browser out of the app, to the organization's provider; only a web address, whatever the server said. */
export function leaveFor(address: string): void {
  if (/^https?:\/\//.test(address)) location.assign(address);
}
