import { Share2 } from 'lucide-react';
import { m } from '#messages';
import { Menu, MenuItem } from '#ui/menu.tsx';

interface Shared {
  url: string;
  title: string;
}

const address = (base: string, query: Record<string, string>) =>
  // Mail programs show a plus sign literally.
  `${base}?${new URLSearchParams(query).toString().replaceAll('+', '%20')}`;

export const shareTargets = ({ url, title }: Shared) => [
  { name: 'Twitter / X', href: address('https://x.com/intent/post', { text: title, url }) },
  { name: 'Facebook', href: address('https://www.facebook.com/sharer/sharer.php', { u: url }) },
  { name: 'LinkedIn', href: address('https://www.linkedin.com/sharing/share-offsite/', { url }) },
  { name: m.common_email(), href: address('mailto:', { subject: title, body: `${title}\n${url}` }) },
];

/** If the system has a share dialog, the enhancement module offers that instead (`data-share`). */
export function ShareMenu({ url, title }: Shared) {
  return (
    <Menu
      id="share-menu"
      align="end"
      button={{
        id: 'share-button',
        className: 'print:hidden',
        'data-share': url,
        'data-share-title': title,
        children: (
          <>
            <Share2 size={16} strokeWidth={1.75} aria-hidden="true" />
            {m.blog_share()}
          </>
        ),
      }}
    >
      <ul aria-label={m.blog_share()}>
        {shareTargets({ url, title }).map(({ name, href }) => (
          <li key={name}>
            <MenuItem href={href} target="_blank" rel="noopener noreferrer">
              {name}
              {href.startsWith('mailto:') ? null : (
                <span className="visually-hidden"> {m.blog_new_tab()}</span>
              )}
            </MenuItem>
          </li>
        ))}
        <li className="js-only">
          <MenuItem data-copy-text={url} keepsOpen>
            <span data-copy-label="" aria-live="polite">
              {m.common_copy_link()}
            </span>
          </MenuItem>
        </li>
      </ul>
    </Menu>
  );
}
