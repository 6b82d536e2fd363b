import { Share2 } from 'lucide-react';

interface Shared {
  /** The whole address. */
  url: string;
  title: string;
}

const address = (base: string, query: Record<string, string>) =>
  // Mail programs take a plus sign for what it is.
  `${base}?${new URLSearchParams(query).toString().replaceAll('+', '%20')}`;

/** Where a page can be told of, with everything of ours escaped. */
export const shareTargets = ({ url, title }: Shared) => [
  { name: 'Twitter / X', href: address('https://x.com/intent/post', { text: title, url }) },
  { name: 'Facebook', href: address('https://www.facebook.com/sharer/sharer.php', { u: url }) },
  { name: 'LinkedIn', href: address('https://www.linkedin.com/sharing/share-offsite/', { url }) },
  { name: 'Email', href: address('mailto:', { subject: title, body: `${title}\n${url}` }) },
];

/** A button that offers the system's own way to share where there is one, else a menu. */
export function ShareMenu({ url, title }: Shared) {
  return (
    <div className="share">
      <button
        type="button"
        id="share-button"
        className="btn btn-secondary"
        popoverTarget="share-menu"
        data-share={url}
        data-share-title={title}
      >
        <Share2 size={16} strokeWidth={1.75} aria-hidden="true" />
        Share
      </button>
      <ul id="share-menu" className="menu" popover="auto" aria-label="Share">
        {shareTargets({ url, title }).map(({ name, href }) => (
          <li key={name}>
            <a className="menu-item" href={href} target="_blank" rel="noopener noreferrer">
              {name}
              {href.startsWith('mailto:') ? null : (
                <span className="visually-hidden"> (opens a new tab)</span>
              )}
            </a>
          </li>
        ))}
        <li className="js-only">
          <button type="button" className="menu-item" data-copy-text={url}>
            <span data-copy-label="" aria-live="polite">
              Copy link
            </span>
          </button>
        </li>
      </ul>
    </div>
  );
}
