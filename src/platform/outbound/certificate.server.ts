import { isIP } from 'node:net';
import { connect } from 'node:tls';

export interface CertificateReport {
  /** Node's code of why it is not trusted, such as CERT_HAS_EXPIRED; null when it is. */
  problem: string | null;
  validFrom: Date;
  validTo: Date;
}

const ANSWER_MS = 5_000;

/** The certificate that a browser would be shown. @throws the error of the network, or one with code NO_TLS */
export function inspectCertificate({ hostname, port }: URL): Promise<CertificateReport> {
  const host = hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve, reject) => {
    const socket = connect({
      host,
      port: Number(port || 443),
      ...(isIP(host) ? {} : { servername: host }),
      // What is wrong with it is what is asked; nothing is sent.
      rejectUnauthorized: false,
      timeout: ANSWER_MS,
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
