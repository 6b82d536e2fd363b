import { openSignIn } from '#client/page-events.ts';
import { useReloadOnAuth } from '#client/use-reload-on-auth.ts';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import { MessagePage } from '../parts/message-page.tsx';

export function SignedOut() {
  useReloadOnAuth();
  return (
    <MessagePage>
      <h1 className="h1 -mt-4 max-w-[18ch]">{m.page_dashboard()}</h1>
      <p className="lead max-w-[48ch]">{m.dashboard_signed_out()}</p>
      <div className="row">
        <Button variant="primary" size="lg" className="js-only" onClick={() => openSignIn()}>
          {m.credits_sign_in()}
        </Button>
        <Button size="lg" href="/">
          {m.common_go_home()}
        </Button>
      </div>
    </MessagePage>
  );
}
