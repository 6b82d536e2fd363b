import { useContext } from 'react';
import { inspectLink } from './link-inspection.ts';
import { type LinkProps, MarkdownParts } from './markdown-parts.ts';

/**
 * Shows the host of a link, unless the text is the address. A link that could deceive is a button that shows the
 * address first, so that no way of opening it skips the question.
 */
export function ExternalLink({ href: address, text, children }: LinkProps) {
  const Other = useContext(MarkdownParts)?.Link;
  if (Other)
    return (
      <Other href={address} text={text}>
        {children}
      </Other>
    );
  const facts = inspectLink(address, text);
  if (facts === null) return <>{children}</>;
  const { href, showsAddress, warnings } = facts;
  const host = showsAddress || text === null ? undefined : facts.host;
  if (warnings.length > 0)
    return (
      <button
        type="button"
        className="md-ask"
        title={href}
        data-host={host}
        onClick={() => void import('./confirm-link.tsx').then(({ confirmLink }) => confirmLink(facts))}
      >
        {children}
      </button>
    );
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      data-bare={showsAddress ? '' : undefined}
      data-host={host}
    >
      {children}
    </a>
  );
}
