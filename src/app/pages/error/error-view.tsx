import { useContext } from 'react';
import { useLocation } from 'react-router';
import { m } from '#messages';
import { pageTitle } from '#shared/page-title.ts';
import { Button } from '#ui/button.tsx';
import { EnhancedSlot } from '../../shell/enhanced-slot.tsx';
import { RequestInfoContext } from '../../shell/request-info.ts';
import { MessagePage } from '../parts/message-page.tsx';

/** Shows an error. Hydration keeps the request id from the server's HTML, as the browser does not have it. */
export function ErrorView({ status }: { status: number }) {
  const { requestId } = useContext(RequestInfoContext);
  const { pathname, search } = useLocation();
  const here = pathname + search;
  return (
    <MessagePage>
      <title>{pageTitle(m.error_eyebrow())}</title>
      <meta name="robots" content="noindex" />
      <p className="eyebrow">{m.error_status({ status })}</p>
      <h1 className="h1 -mt-4 max-w-[18ch]">
        <span className="mark">{m.error_eyebrow()}</span>
      </h1>
      <p className="lead max-w-[48ch]">{m.error_page_failed()}</p>
      <div className="row">
        <Button variant="primary" size="lg" href={here}>
          {m.common_try_again()}
        </Button>
        <Button size="lg" href="/">
          {m.common_return_home()}
        </Button>
      </div>
      <EnhancedSlot as="p" className="fine" text={requestId ? m.error_request_id({ id: requestId }) : ''} />
    </MessagePage>
  );
}
