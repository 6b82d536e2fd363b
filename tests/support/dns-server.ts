import dns2 from 'dns2';

export interface DnsServer {
  /** In the form that Node's `setServers` accepts. */
  address: string;
  stop(): Promise<void>;
}

const NAME_ERROR = 3;

/**
 * Starts a name server on loopback with these TXT records. A name that only has records below it exists and is empty
 * (RFC 8020).
 */
export async function startDnsServer(records: Record<string, readonly string[]>): Promise<DnsServer> {
  const server = dns2.createServer({
    udp: true,
    handle(request, respond) {
      const response = dns2.Packet.createResponseFromRequest(request);
      const [{ name = '', type = 0 } = {}] = request.questions;
      const query = name.toLowerCase();
      const matching = records[query];
      if (matching && type === dns2.Packet.TYPE.TXT)
        for (const data of matching)
          response.answers.push(Object.assign(new dns2.Packet.Resource(name, type, 1, 60), { data }));
      else if (!matching && !Object.keys(records).some((other) => other.endsWith(`.${query}`)))
        response.header.rcode = NAME_ERROR;
      respond(response);
    },
  });
  const { udp } = await server.listen({ udp: { port: 0, address: '127.0.0.1' } });
  return { address: `127.0.0.1:${udp?.port}`, stop: () => server.close() };
}
