import dns from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { type Finding, note, ok, wrong } from './finding.ts';

const ABOUT = 'Sender';
const DNS_TIMEOUT_MS = 2_000;

/** `none`: the name exists without such a record. `missing`: nothing exists at or below the name. */
type TxtAnswer = { state: 'found'; records: string[] } | { state: 'none' | 'missing' | 'unknown' };

function createLookup(): (name: string) => Promise<TxtAnswer> {
  const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: 2 });
  resolver.setServers(dns.getServers());
  return async (name) => {
    try {
      const records = (await resolver.resolveTxt(name)).map((parts) => parts.join(''));
      return { state: 'found', records };
    } catch (error) {
      const { code } = error as { code?: string };
      return { state: code === 'ENODATA' ? 'none' : code === 'ENOTFOUND' ? 'missing' : 'unknown' };
    }
  };
}

const recordsMatching = (answer: TxtAnswer, start: RegExp): string[] =>
  answer.state === 'found' ? answer.records.filter((record) => start.test(record)) : [];

function spf(domain: string, answer: TxtAnswer): Finding {
  const [record, second] = recordsMatching(answer, /^v=spf1( |$)/i);
  if (!record)
    return wrong(
      ABOUT,
      `${domain} has no SPF record, so emails land in spam. Add the TXT record that your mail provider gives you (v=spf1 ... ~all).`,
    );
  if (second)
    return wrong(ABOUT, `${domain} has two SPF records, which counts as none. Merge them into one.`);
  if (/(^| )\+?all( |$)/i.test(record))
    return wrong(
      ABOUT,
      `The SPF record of ${domain} lets anyone send in its name. End it with ~all or -all.`,
    );
  return ok(ABOUT, `${domain} has an SPF record.`);
}

/** The selectors are unknown, but if nothing exists below `_domainkey` (RFC 8020), there are no DKIM keys. */
function dkim(domain: string, answer: TxtAnswer): Finding {
  if (answer.state === 'missing')
    return wrong(
      ABOUT,
      `${domain} has no DKIM key. Add the records below _domainkey.${domain} that your mail provider gives you.`,
    );
  return ok(ABOUT, `${domain} seems to have DKIM keys. Send a test email to see whether it is signed.`);
}

function dmarc(domain: string, answers: TxtAnswer[]): Finding {
  const [record] = answers.flatMap((answer) => recordsMatching(answer, /^v=DMARC1\s*(;|$)/i));
  return record
    ? ok(ABOUT, `${domain} has a DMARC record.`)
    : wrong(
        ABOUT,
        `${domain} has no DMARC record, which large providers require. Add TXT _dmarc.${domain} with v=DMARC1; p=none.`,
      );
}

/** A subdomain without a DMARC record uses that of its domain (RFC 7489, 6.6.3). */
function dmarcNames(domain: string): string[] {
  const labels = domain.split('.');
  const parents = labels.slice(1, -1).map((_, at) => labels.slice(at + 1).join('.'));
  return [domain, ...parents].map((name) => `_dmarc.${name}`);
}

export async function checkMailDomain(domain: string): Promise<Finding[]> {
  const lookUp = createLookup();
  const [root, keys, ...policies] = await Promise.all(
    [domain, `_domainkey.${domain}`, ...dmarcNames(domain)].map(lookUp),
  );
  if (!root || !keys || [root, keys, ...policies].some(({ state }) => state === 'unknown'))
    return [
      note(
        ABOUT,
        `DNS did not respond, so SPF, DKIM and DMARC of ${domain} were not checked. Send an email to a large provider to see.`,
      ),
    ];
  return [spf(domain, root), dkim(domain, keys), dmarc(domain, policies)];
}
