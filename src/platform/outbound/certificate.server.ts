import { isIP } from 'node:net';
import { connect } from 'node:tls';

export interface CertificateReport {
  /** Node's code for why it is not trusted, such as CERT_HAS_EXPIRED; null if it is trusted. */
  problem: string | null;
  validFrom: Date;
  validTo: Date;
}

const TIMEOUT_MS = 5_000;

/** Inspects the certificate that browsers get. @throws the network error, or an error with the code NO_TLS */
export function inspectCertificate({ hostname, port }: URL): Promise<CertificateReport> {
  const host = hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve, reject) => {
    const socket = connect({
      host,
      port: Number(port || 443),
      ...(isIP(host) ? {} : { servername: host }),
      // An untrusted certificate is a result here, not an error; nothing is sent over the connection.
      rejectUnauthorized: false,
      timeout: TIMEOUT_MS,
    });
    socket.once('secureConnect', () => {
      const { valid_from, valid_to } = socket.getPeerCertificate();
      const problem = socket.authorized ? null : String(socket.authorizationError);
      socket.destroy();
      resolve({ problem, validFrom: new Date(valid_from), validTo: new Date(valid_to) });
    });
    socket.once('timeout', () => socket.destroy(Object.assign(new Error('late'), { code: 'ETIMEDOUT' })));
    socket.once('error', (error: Error & { code?: string }) => {
      const isTls = error.code === 'EPROTO' || error.code?.startsWith('ERR_SSL');
      reject(isTls ? Object.assign(new Error('no TLS'), { code: 'NO_TLS' }) : error);
    });
  });
}
