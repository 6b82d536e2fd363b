import type { Config } from '#platform/config/config.server.ts';
import { type CertificateReport, inspectCertificate } from '#platform/outbound/certificate.server.ts';
import type { OutboundResponse } from '#platform/outbound/http-request.server.ts';
import { createOutbound, type Outbound, type OutboundInit } from '#platform/outbound/outbound.server.ts';
import { OutboundFailed } from '#platform/outbound/outbound-errors.ts';
import { runningInstance } from '../startup/single-instance.server.ts';
import { type Finding, note, ok, wrong } from './finding.ts';
import type { ArrivedRequest } from './probe-api.server.ts';
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
/** Certificates of 90 days are renewed 30 days before their end. */
const SOON_DAYS = 14;
const BOUNDS = { connectMs: 5_000, firstByteMs: 10_000, totalMs: 60_000, maxBytes: 64 * 1024 };

const untrusted: Record<string, string> = {
  CERT_HAS_EXPIRED: 'has expired: see why it is not renewed (certbot renew, or the log of the proxy).',
  CERT_NOT_YET_VALID: 'is not valid yet: set the clock of this machine, or of the one that made it.',
  ERR_TLS_CERT_ALTNAME_INVALID:
    'is for another name: get one for this host, or correct the host in PUBLIC_URL.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'was signed by itself, so browsers refuse it: get one from an authority.',
  SELF_SIGNED_CERT_IN_CHAIN: 'is signed by an authority that browsers do not know: get one that they know.',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'is signed by an authority that browsers do not know: get one that they know.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'comes without the one between it and its authority: let the proxy send the whole chain (fullchain.pem).',
};

const unreached: Record<string, string> = {
  ENOTFOUND: 'names a host that has no address: add an A (and AAAA) record for it.',
  ECONNREFUSED: 'is refused: start the proxy that listens there, and open its port in the firewall.',
  ECONNRESET: 'ends the connection at once: look into the log of the proxy.',
  NO_TLS: 'does not speak TLS: let the proxy listen there with a certificate.',
};

function unreachedFinding(error: unknown): Finding {
  const { code = '' } = error as { code?: string };
  const said = unreached[code];
  if (said) return wrong(ABOUT, `PUBLIC_URL ${said}`);
  return note(
    ABOUT,
    `PUBLIC_URL cannot be asked from this machine${code && ` (${code})`}, which some networks do not let: open it on a telephone.`,
  );
}

function certificateFinding({ problem, validFrom, validTo }: CertificateReport, now: number): Finding {
  if (problem)
    return wrong(
      'Certificate',
      `That of PUBLIC_URL ${untrusted[problem] ?? `is not trusted (${problem}): get another.`}`,
    );
  const left = validTo.getTime() - now;
  const days = Math.floor(left / DAY_MS);
  // Some certificates live for a week.
  const soon = Math.min(SOON_DAYS * DAY_MS, (validTo.getTime() - validFrom.getTime()) / 4);
  return left < soon
    ? wrong(
        'Certificate',
        `That of PUBLIC_URL ends in ${days} ${days === 1 ? 'day' : 'days'} and should be renewed by now: see why it is not.`,
      )
    : ok('Certificate', `Good for ${days} days.`);
}

class PublicSite {
  readonly #gate: Outbound;
  readonly #config: Config;
  constructor(config: Config) {
    this.#config = config;
    // The operator's own name may lead into their own network.
    this.#gate = createOutbound({ origins: [new URL(config.publicUrl).origin], permitted: () => true });
  }
  ask(path: string, init: OutboundInit = {}): Promise<OutboundResponse> {
    const { publicUrl, authSecret } = this.#config;
    return this.#gate.request(publicUrl + path, {
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
    this.#gate.close();
  }
}

async function jsonOf<T>(response: OutboundResponse): Promise<T | null> {
  try {
    return JSON.parse(await response.text()) as T;
  } catch {
    return null;
  }
}

/** @returns what is wrong, or null when this site answers. */
async function otherAnswer(site: PublicSite, config: Config): Promise<Finding | null> {
  const response = await site.ask('/version');
  const { status } = response;
  const body = await jsonOf<{ name?: unknown; version?: unknown }>(response);
  if (status === 200 && typeof body?.name === 'string' && typeof body.version === 'string') return null;
  if (status >= 300 && status < 400)
    return wrong(ABOUT, 'PUBLIC_URL sends visitors elsewhere: set it to the address that they are sent to.');
  if (!runningInstance(config.dataDir))
    return note(ABOUT, 'The proxy was not looked at, for the site does not run: start it, and ask again.');
  return wrong(
    ABOUT,
    status >= 500
      ? `The proxy at PUBLIC_URL does not reach the site (status ${status}): let it pass requests to ${config.HOST}:${config.port}.`
      : `PUBLIC_URL answers, but not with this site (status ${status}): correct it, or let the proxy pass this host on.`,
  );
}

async function arrived(site: PublicSite): Promise<{ status: number; request: ArrivedRequest | null }> {
  const response = await site.ask(`${PROBE_PATH}/request`);
  return { status: response.status, request: await jsonOf<ArrivedRequest>(response) };
}

async function refusedProbe(site: PublicSite): Promise<Finding | null> {
  const { status, request } = await arrived(site);
  if (status === 400)
    return wrong(
      'Proxy',
      'It passes another Host on than that of PUBLIC_URL: let it keep the name (nginx: proxy_set_header Host $host).',
    );
  if (status !== 200 || !request)
    return wrong(
      'Proxy',
      'The site behind PUBLIC_URL has another AUTH_SECRET than this environment, or is of an earlier build: give both the same, and start it anew.',
    );
  return null;
}

async function forwarding(site: PublicSite, { TRUSTED_PROXIES }: Config): Promise<Finding> {
  const { request } = await arrived(site);
  const { peer, forwardedFor, trusted } = request ?? { peer: '', forwardedFor: null, trusted: false };
  if (forwardedFor === null)
    return wrong(
      'Proxy',
      'It says nothing of who asks, so all visitors share one set of limits: let it send X-Forwarded-For (nginx: proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for).',
    );
  if (!trusted)
    return wrong(
      'Proxy',
      `${peer}, which passes requests on, is not in TRUSTED_PROXIES${TRUSTED_PROXIES ? '' : ', which is empty'}: add it, or all visitors share one set of limits.`,
    );
  if (forwardedFor.trim() === PROBE_FORWARDED_FOR)
    return wrong(
      'Proxy',
      'It passes X-Forwarded-For on as visitors write it, so each may choose an address: let it add theirs (nginx: $proxy_add_x_forwarded_for).',
    );
  return ok('Proxy', `${peer} passes on who asks.`);
}

/** The site sends two events with a pause between them. */
async function streaming(site: PublicSite): Promise<Finding> {
  const response = await site.ask(`${PROBE_PATH}/stream`);
  const arrivals: number[] = [];
  let text = '';
  for await (const bytes of response.body) {
    text += bytes.toString();
    while (text.split('\n\n').length - 1 > arrivals.length) arrivals.push(performance.now());
  }
  const [first = 0, second = 0] = arrivals;
  if (arrivals.length < 2)
    return wrong('Streams', 'The proxy cuts event streams off: give it a read timeout of 300 s.');
  return second - first > PROBE_PAUSE_MS / 2
    ? ok('Streams', 'Replies come as they are written.')
    : wrong(
        'Streams',
        'The proxy holds replies back until they are whole: let it pass streams on (nginx: proxy_buffering off).',
      );
}

const tooSmall = () =>
  wrong(
    'Uploads',
    'The proxy refuses files of 10 MB, which visitors may send: raise its limit (nginx: client_max_body_size 12m).',
  );

async function uploading(site: PublicSite): Promise<Finding> {
  try {
    const response = await site.ask(`${PROBE_PATH}/upload`, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body: 'x'.repeat(PROBE_UPLOAD_BYTES),
    });
    const body = await jsonOf<{ bytes?: unknown }>(response);
    return response.status === 200 && body?.bytes === PROBE_UPLOAD_BYTES
      ? ok('Uploads', 'A file of 10 MB comes through.')
      : tooSmall();
  } catch (error) {
    // A proxy that has seen the length may hang up before it has read the file.
    if (error instanceof OutboundFailed && error.kind !== 'connect') return tooSmall();
    throw error;
  }
}

/** What a visitor meets at PUBLIC_URL, asked from this machine. */
export async function publicAddress(config: Config): Promise<Finding[]> {
  if (config.PUBLIC_URL === undefined || config.sandbox) return [];
  const site = new PublicSite(config);
  const findings: Finding[] = [];
  try {
    if (config.secure) {
      const certificate = await inspectCertificate(new URL(config.publicUrl));
      findings.push(certificateFinding(certificate, Date.now()));
      if (certificate.problem) return findings;
    }
    const other = (await otherAnswer(site, config)) ?? (await refusedProbe(site));
    if (other) return [...findings, other];
    findings.push(await forwarding(site, config), await streaming(site), await uploading(site));
  } catch (error) {
    findings.push(unreachedFinding(error));
  } finally {
    site.close();
  }
  return findings;
}
