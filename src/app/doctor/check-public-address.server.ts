import type { Config } from '#platform/config/config.server.ts';
import { type CertificateReport, inspectCertificate } from '#platform/outbound/certificate.server.ts';
import type { OutboundResponse } from '#platform/outbound/http-request.server.ts';
import { createOutbound, type Outbound, type OutboundInit } from '#platform/outbound/outbound.server.ts';
import { OutboundFailed } from '#platform/outbound/outbound-errors.ts';
import { runningInstance } from '../startup/single-instance.server.ts';
import { type Finding, note, ok, wrong } from './finding.ts';
import type { ReceivedRequest } from './probe-api.server.ts';
import {
  PROBE_FORWARDED_FOR,
  PROBE_HEADER,
  PROBE_PATH,
  PROBE_PAUSE_MS,
  PROBE_UPLOAD_BYTES,
  probeToken,
} from './probe-token.server.ts';

const ABOUT = 'Address';
const DAY_MS = 86_400_000;
/** Certificates of 90 days are usually renewed 30 days before they expire. */
const RENEWAL_DAYS = 14;
const BOUNDS = { connectMs: 5_000, firstByteMs: 10_000, totalMs: 60_000, maxBytes: 64 * 1024 };

const certificateProblems: Record<string, string> = {
  CERT_HAS_EXPIRED: 'has expired. Find out why it was not renewed (certbot renew, or the log of the proxy).',
  CERT_NOT_YET_VALID: 'is not valid yet. Set the clock of this machine, or of the one that issued it.',
  ERR_TLS_CERT_ALTNAME_INVALID:
    'is for a different host. Get one for this host, or fix the host in PUBLIC_URL.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'is self-signed, so browsers reject it. Get one from a certificate authority.',
  SELF_SIGNED_CERT_IN_CHAIN: "is signed by an authority that browsers don't trust. Get one that they trust.",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    "is signed by an authority that browsers don't trust. Get one that they trust.",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'is missing its intermediate certificate. Make the proxy send the full chain (fullchain.pem).',
};

const connectionProblems: Record<string, string> = {
  ENOTFOUND: 'has a host without an IP address. Add an A (and AAAA) record for it.',
  ECONNREFUSED:
    'refused the connection. Start the proxy that listens there, and open its port in the firewall.',
  ECONNRESET: 'closed the connection right away. Check the log of the proxy.',
  NO_TLS: 'does not speak TLS. Set up a certificate on the proxy that listens there.',
};

function connectionFinding(error: unknown): Finding {
  const { code = '' } = error as { code?: string };
  const problem = connectionProblems[code];
  if (problem) return wrong(ABOUT, `PUBLIC_URL ${problem}`);
  return note(
    ABOUT,
    `PUBLIC_URL can't be reached from this machine${code && ` (${code})`}, which some networks don't allow. Open it on a phone to check.`,
  );
}

function certificateFinding({ problem, validFrom, validTo }: CertificateReport, now: number): Finding {
  if (problem)
    return wrong(
      'Certificate',
      `The certificate of PUBLIC_URL ${certificateProblems[problem] ?? `is not trusted (${problem}). Get another one.`}`,
    );
  const remainingMs = validTo.getTime() - now;
  const days = Math.floor(remainingMs / DAY_MS);
  // Some certificates are valid for only a week.
  const warningMs = Math.min(RENEWAL_DAYS * DAY_MS, (validTo.getTime() - validFrom.getTime()) / 4);
  return remainingMs < warningMs
    ? wrong(
        'Certificate',
        `The certificate of PUBLIC_URL expires in ${days} ${days === 1 ? 'day' : 'days'} and should be renewed by now. Find out why it was not.`,
      )
    : ok('Certificate', `Valid for ${days} more days.`);
}

class PublicSite {
  readonly #outbound: Outbound;
  readonly #config: Config;
  constructor(config: Config) {
    this.#config = config;
    // The operator's own host may resolve to a private address.
    this.#outbound = createOutbound({ origins: [new URL(config.publicUrl).origin], permitted: () => true });
  }
  request(path: string, init: OutboundInit = {}): Promise<OutboundResponse> {
    const { publicUrl, authSecret } = this.#config;
    return this.#outbound.request(publicUrl + path, {
      ...BOUNDS,
      ...init,
      headers: {
        origin: publicUrl,
        ...(path.startsWith(PROBE_PATH) ? { [PROBE_HEADER]: probeToken(authSecret) } : {}),
        'x-forwarded-for': PROBE_FORWARDED_FOR,
        ...init.headers,
      },
    });
  }
  close(): void {
    this.#outbound.close();
  }
}

async function readJson<T>(response: OutboundResponse): Promise<T | null> {
  try {
    return JSON.parse(await response.text()) as T;
  } catch {
    return null;
  }
}

/** @returns the problem, or null if this site answers. */
async function checkIdentity(site: PublicSite, config: Config): Promise<Finding | null> {
  const response = await site.request('/version');
  const { status } = response;
  const body = await readJson<{ name?: unknown; version?: unknown }>(response);
  if (status === 200 && typeof body?.name === 'string' && typeof body.version === 'string') return null;
  if (status >= 300 && status < 400)
    return wrong(ABOUT, 'PUBLIC_URL redirects visitors elsewhere. Set it to the address they are sent to.');
  if (!runningInstance(config.dataDir))
    return note(
      ABOUT,
      'The proxy was not checked because the site is not running. Start the site, and run this again.',
    );
  return wrong(
    ABOUT,
    status >= 500
      ? `The proxy at PUBLIC_URL can't reach the site (status ${status}). Make it forward requests to ${config.HOST}:${config.port}.`
      : `PUBLIC_URL responds, but not with this site (status ${status}). Fix it, or make the proxy forward this host.`,
  );
}

async function fetchEcho(site: PublicSite): Promise<{ status: number; request: ReceivedRequest | null }> {
  const response = await site.request(`${PROBE_PATH}/request`);
  return { status: response.status, request: await readJson<ReceivedRequest>(response) };
}

async function checkProbeAccess(site: PublicSite): Promise<Finding | null> {
  const { status, request } = await fetchEcho(site);
  if (status === 400)
    return wrong(
      'Proxy',
      'The proxy sends a Host other than that of PUBLIC_URL. Make it keep the original (nginx: proxy_set_header Host $host).',
    );
  if (status !== 200 || !request)
    return wrong(
      'Proxy',
      'The site behind PUBLIC_URL has a different AUTH_SECRET than this environment, or runs an earlier build. Give both the same secret, and restart the site.',
    );
  return null;
}

async function checkForwarding(site: PublicSite, { TRUSTED_PROXIES }: Config): Promise<Finding> {
  const { request } = await fetchEcho(site);
  const { peer, forwardedFor, trusted } = request ?? { peer: '', forwardedFor: null, trusted: false };
  if (forwardedFor === null)
    return wrong(
      'Proxy',
      "The proxy does not send visitors' addresses, so all visitors share one set of limits. Make it send X-Forwarded-For (nginx: proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for).",
    );
  if (!trusted)
    return wrong(
      'Proxy',
      `The proxy at ${peer} is not in TRUSTED_PROXIES${TRUSTED_PROXIES ? '' : ', which is empty'}. Add it, or all visitors share one set of limits.`,
    );
  if (forwardedFor.trim() === PROBE_FORWARDED_FOR)
    return wrong(
      'Proxy',
      'The proxy forwards X-Forwarded-For as visitors send it, so anyone can fake an address. Make it add the real one (nginx: $proxy_add_x_forwarded_for).',
    );
  return ok('Proxy', `${peer} forwards visitors' addresses.`);
}

/** Checks that the proxy does not buffer: the site sends two events with a pause between them. */
async function checkStreaming(site: PublicSite): Promise<Finding> {
  const response = await site.request(`${PROBE_PATH}/stream`);
  const arrivals: number[] = [];
  let text = '';
  for await (const bytes of response.body) {
    text += bytes.toString();
    while (text.split('\n\n').length - 1 > arrivals.length) arrivals.push(performance.now());
  }
  const [first = 0, second = 0] = arrivals;
  if (arrivals.length < 2)
    return wrong('Streams', 'The proxy cuts off event streams. Set its read timeout to 300 s.');
  return second - first > PROBE_PAUSE_MS / 2
    ? ok('Streams', 'Replies arrive as they are written.')
    : wrong(
        'Streams',
        'The proxy holds replies back until they are complete. Make it pass streams through (nginx: proxy_buffering off).',
      );
}

const uploadTooLarge = () =>
  wrong(
    'Uploads',
    'The proxy rejects 10 MB files, which visitors can upload. Raise its limit (nginx: client_max_body_size 12m).',
  );

async function checkUploads(site: PublicSite): Promise<Finding> {
  try {
    const response = await site.request(`${PROBE_PATH}/upload`, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body: 'x'.repeat(PROBE_UPLOAD_BYTES),
    });
    const body = await readJson<{ bytes?: unknown }>(response);
    return response.status === 200 && body?.bytes === PROBE_UPLOAD_BYTES
      ? ok('Uploads', 'A 10 MB file gets through.')
      : uploadTooLarge();
  } catch (error) {
    // A proxy may reject the Content-Length and close the connection before it has read the file.
    if (error instanceof OutboundFailed && error.kind !== 'connect') return uploadTooLarge();
    throw error;
  }
}

/** Checks PUBLIC_URL as a visitor would see it, with requests from this machine. */
export async function checkPublicAddress(config: Config): Promise<Finding[]> {
  if (config.PUBLIC_URL === undefined || config.sandbox) return [];
  const site = new PublicSite(config);
  const findings: Finding[] = [];
  try {
    if (config.secure) {
      const certificate = await inspectCertificate(new URL(config.publicUrl));
      findings.push(certificateFinding(certificate, Date.now()));
      if (certificate.problem) return findings;
    }
    const problem = (await checkIdentity(site, config)) ?? (await checkProbeAccess(site));
    if (problem) return [...findings, problem];
    findings.push(await checkForwarding(site, config), await checkStreaming(site), await checkUploads(site));
  } catch (error) {
    findings.push(connectionFinding(error));
  } finally {
    site.close();
  }
  return findings;
}
