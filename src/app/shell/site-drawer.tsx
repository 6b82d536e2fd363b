import { Menu, X } from 'lucide-react';
import { Me } from './me.tsx';
import { DrawerNav } from './site-nav.tsx';
import { Wordmark } from './wordmark.tsx';

/** On phones: everything of the header in a popover from the side, which opens and closes without scripts. */
export function SiteDrawer({ here }: { here: string }) {
  return (
    <>
      <button
        type="button"
        id="drawer-button"
        className="btn btn-ghost btn-icon narrow-only"
        popoverTarget="site-drawer"
        aria-label="Menu"
      >
        <Menu size={20} strokeWidth={1.75} aria-hidden="true" />
      </button>
      <div
        id="site-drawer"
        className="drawer"
        popover="auto"
        role="dialog"
        aria-modal="true"
        aria-label="Menu"
      >
        <div className="drawer-head">
          <a className="wordmark" href="/">
            <Wordmark />
          </a>
          <button
            type="button"
            className="btn btn-ghost btn-icon"
            popoverTarget="site-drawer"
            popoverTargetAction="hide"
            aria-label="Close menu"
          >
            <X size={20} strokeWidth={1.75} aria-hidden="true" />
          </button>
        </div>
        <DrawerNav here={here} />
        <div className="drawer-foot">
          <a className="btn btn-primary btn-lg" href="/sign-in" data-sign-in="" data-when="out">
            Sign In
          </a>
          <div className="grid gap-2" data-when="in">
            <p>
              <Me field="name" className="block font-semibold" />
              <Me field="credits" className="fine" />
            </p>
            <a className="btn btn-secondary" href="/settings">
              Settings
            </a>
            <form method="post" action="/api/sign-out" data-sign-out="">
              <button type="submit" className="btn btn-secondary w-full">
                Sign Out
              </button>
            </form>
          </div>
        </div>
      </div>
    </>
  );
}
