import { OutboundFailed, OutboundRefused } from '#platform/outbound/outbound-errors.ts';

/** @param url name of the variable with the address @param what the service should be, such as `a gateway` */
export function describeUnreachable(error: unknown, url: string, what: string): string {
  if (error instanceof OutboundRefused) {
    if (error.kind === 'address')
      return `The host in ${url} is on a private network, which is blocked. To reach a server of your own, use its IP address.`;
    if (error.kind === 'redirect')
      return `${url} redirects elsewhere. Set it to the address it redirects to.`;
    return `${url} is not an address the site can call. Fix it.`;
  }
  if (!(error instanceof OutboundFailed)) throw error;
  if (error.kind === 'dns') return `The host in ${url} was not found. Check the host name.`;
  if (error.kind === 'connect')
    return `Can't connect to ${url}${error.code ? ` (${error.code})` : ''}. Start the server there, or fix the host and port.`;
  if (error.kind === 'first_byte_timeout' || error.kind === 'total_timeout')
    return `${url} accepted the request but did not respond in time. Check the server there.`;
  return `${url} does not respond like ${what} (${error.kind}). Check the address.`;
}
