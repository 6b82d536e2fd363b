import { OutboundFailed, OutboundRefused } from '#platform/outbound/outbound-errors.ts';

/** @param url the variable that holds the address @param what it should be, such as `a gateway` */
export function unreached(error: unknown, url: string, what: string): string {
  if (error instanceof OutboundRefused) {
    if (error.kind === 'address')
      return `${url}: the name leads into a private network, which is barred; a server of your own is reached by its IP address.`;
    if (error.kind === 'redirect') return `${url} sends us elsewhere: set the address it leads to.`;
    return `${url} is an address that is not called: correct it.`;
  }
  if (!(error instanceof OutboundFailed)) throw error;
  if (error.kind === 'dns') return `${url} names a host that cannot be found: correct the name.`;
  if (error.kind === 'connect')
    return `Nothing answers at ${url}${error.code ? ` (${error.code})` : ''}: start the server there, or correct host and port.`;
  if (error.kind === 'first_byte_timeout' || error.kind === 'total_timeout')
    return `${url} takes the call and does not answer in time: look at the server there.`;
  return `${url} does not answer as ${what} does (${error.kind}): correct it.`;
}
