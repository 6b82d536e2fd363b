import { Check, Monitor, Moon, Sun } from 'lucide-react';
import { useLocation } from 'react-router';
import { site } from '../../../content/site.ts';
import { Slot } from './slot.tsx';

const pages = [
  { path: '/', name: 'Home' },
  { path: '/chat', name: 'Chat' },
];

/** The current page, or the section it is in. */
function current(path: string, here: string): 'page' | 'true' | undefined {
  if (here === path) return 'page';
  return path !== '/' && here.startsWith(`${path}/`) ? 'true' : undefined;
}

const themes = [
  { value: 'light', name: 'Light', Icon: Sun },
  { value: 'dark', name: 'Dark', Icon: Moon },
  { value: 'system', name: 'System', Icon: Monitor },
];

/** Filled by the enhancement module from /api/me. */
function Me({ field, className }: { field: 'name' | 'email' | 'credits' | 'initial'; className?: string }) {
  return <Slot data-me={field} className={className} />;
}

function ThemeMenu() {
  return (
    <>
      <button
        type="button"
        id="theme-button"
        className="btn btn-ghost btn-icon js-only"
        popoverTarget="theme-menu"
        aria-label="Theme"
      >
        <Sun className="icon-light" size={16} strokeWidth={1.75} aria-hidden="true" />
        <Moon className="icon-dark" size={16} strokeWidth={1.75} aria-hidden="true" />
      </button>
      <fieldset id="theme-menu" className="menu header-menu" popover="auto">
        <legend className="visually-hidden">Theme</legend>
        {themes.map(({ value, name, Icon }) => (
          <label key={value} className="menu-item theme-option">
            <input type="radio" name="theme" value={value} />
            <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
            {name}
            <Check className="lucide-check" size={16} strokeWidth={1.75} aria-hidden="true" />
          </label>
        ))}
      </fieldset>
    </>
  );
}

function UserMenu() {
  return (
    <>
      <Me field="credits" className="fine" />
      <button
        type="button"
        id="user-button"
        className="initial"
        popoverTarget="user-menu"
        aria-label="Account"
      >
        <Me field="initial" />
      </button>
      <div id="user-menu" className="menu header-menu" popover="auto">
        <div className="menu-text">
          <Me field="name" className="block font-semibold" />
          <Me field="email" className="block muted wrap-anywhere" />
        </div>
        <div className="menu-line" />
        <form method="post" action="/api/sign-out" data-sign-out="">
          <button type="submit" className="menu-item">
            Sign Out
          </button>
        </form>
      </div>
    </>
  );
}

/** The same on public and app pages; plain links, because the two kinds do not share a router. */
export function SiteHeader() {
  const here = useLocation().pathname;
  return (
    <header className="site-header">
      <div className="wrap site-header-bar">
        <a className="wordmark" href="/">
          {site.name}
        </a>
        <nav className="site-nav" aria-label="Main">
          {pages.map(({ path, name }) => (
            <a key={path} href={path} aria-current={current(path, here)}>
              <span>{name}</span>
            </a>
          ))}
        </nav>
        <div className="site-header-end">
          <ThemeMenu />
          <a className="btn btn-primary" href="/sign-in" data-sign-in="" data-when="out">
            Sign In
          </a>
          <div className="contents" data-when="in">
            <UserMenu />
          </div>
        </div>
      </div>
    </header>
  );
}
