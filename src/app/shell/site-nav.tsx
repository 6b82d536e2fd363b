import { ChevronDown } from 'lucide-react';
import { m } from '#messages';
import { MenuPopover } from '#ui/menu.tsx';
import { blog, chat, dashboard, home, pricing, type SitePage, tools } from './site-pages.ts';

function current(path: string, here: string): 'page' | 'true' | undefined {
  if (here === path) return 'page';
  return path !== '/' && here.startsWith(`${path}/`) ? 'true' : undefined;
}

interface Entry extends SitePage {
  signedInOnly?: boolean;
}

interface Menu {
  id: string;
  name: () => string;
  entries: readonly SitePage[];
}

const navItems = (): ReadonlyArray<Entry | Menu> => [
  home,
  chat,
  { id: 'tools-menu', name: m.nav_tools, entries: tools() },
  pricing,
  { ...dashboard, signedInOnly: true },
  { id: 'blog-menu', name: m.nav_blog, entries: blog },
];

function NavLink({
  path,
  name,
  signedInOnly,
  className,
  here,
}: Entry & { className?: string; here: string }) {
  return (
    <a
      href={path}
      className={className}
      aria-current={current(path, here)}
      data-when={signedInOnly ? 'in' : undefined}
    >
      <span>{name()}</span>
    </a>
  );
}

function NavMenu({ id, name, entries, here }: Menu & { here: string }) {
  const isCurrent = entries.some(({ path }) => current(path, here));
  return (
    <>
      <button
        type="button"
        id={`${id}-button`}
        popoverTarget={id}
        aria-current={isCurrent ? 'true' : undefined}
      >
        <span>{name()}</span>
        <ChevronDown size={16} strokeWidth={1.75} aria-hidden="true" />
      </button>
      <MenuPopover id={id} className="my-2.5">
        <ul aria-label={name()}>
          {entries.map((entry) => (
            <li key={entry.path}>
              <NavLink {...entry} here={here} className="menu-item" />
            </li>
          ))}
        </ul>
      </MenuPopover>
    </>
  );
}

export function SiteNav({ here }: { here: string }) {
  return (
    <nav className="site-nav flex gap-1 max-md:hidden" aria-label={m.nav_main()}>
      {navItems().map((item) =>
        'entries' in item ? (
          <NavMenu key={item.id} {...item} here={here} />
        ) : (
          <NavLink key={item.path} {...item} here={here} />
        ),
      )}
    </nav>
  );
}

export function DrawerNav({ here }: { here: string }) {
  return (
    <nav className="drawer-nav" aria-label={m.nav_pages()}>
      {navItems().map((item) =>
        'entries' in item ? (
          <section key={item.id}>
            <p className="eyebrow">{item.name()}</p>
            <ul aria-label={item.name()}>
              {item.entries.map((entry) => (
                <li key={entry.path}>
                  <NavLink {...entry} here={here} />
                </li>
              ))}
            </ul>
          </section>
        ) : (
          <NavLink key={item.path} {...item} here={here} />
        ),
      )}
    </nav>
  );
}
