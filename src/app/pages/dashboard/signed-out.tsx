import { openSignIn } from '#client/page-events.ts';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import { useReloadOnAuth } from './use-reload-on-auth.ts';

export function SignedOut() {
  useReloadOnAuth();
  return (
    <main
      id="main"
      className="wrap message-page grid content-start justify-items-start gap-6 pt-24 pb-12 max-md:pt-12 max-md:pb-8"
    >
      <h1 className="h1 -mt-4 max-w-[18ch]">{m.page_dashboard()}</h1>
      <p className="lead max-w-[48ch]">{m.dashboard_signed_out()}</p>
      <div className="row">
        <Button look="primary" size="lg" className="js-only" onClick={() => openSignIn()}>
          {m.credits_sign_in()}
        </Button>
        <Button size="lg" href="/">
          {m.common_go_home()}
        </Button>
      </div>
    </main>
  );
}
