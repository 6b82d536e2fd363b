import { useRef } from 'react';
import { createRoot } from 'react-dom/client';
import { m } from '#messages';
import { Button } from '../button.tsx';
import { Dialog } from '../dialog.tsx';
import type { LinkInspection } from './link-inspection.ts';
import { linkWarnings } from './link-warnings.ts';

interface QuestionProps {
  facts: LinkInspection;
  onClose: () => void;
}

function Question({ facts: { href, host, warnings }, onClose }: QuestionProps) {
  const cancel = useRef<HTMLButtonElement>(null);
  return (
    <Dialog title={m.link_question()} initialFocus={cancel} onClose={onClose}>
      {(close) => (
        <>
          <div className="dialog-body grid gap-3 wrap-anywhere">
            {warnings.map((doubt) => (
              <p key={doubt}>{linkWarnings[doubt]({ host })}</p>
            ))}
            <section
              className="max-h-48 overflow-auto rounded-md border border-line bg-code p-3 font-mono text-xs"
              aria-label={m.link_address()}
              dir="ltr"
              // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable box must be reachable by keyboard
              tabIndex={0}
            >
              {href}
            </section>
          </div>
          <div className="dialog-foot">
            <Button href={href} target="_blank" rel="noopener noreferrer" onClick={close}>
              {m.common_open()}
            </Button>
            <Button ref={cancel} variant="primary" onClick={close}>
              {m.common_cancel()}
            </Button>
          </div>
        </>
      )}
    </Dialog>
  );
}

/** Renders into a separate root, so that clicks in the dialog do not bubble to the text below. */
export function confirmLink(facts: LinkInspection): void {
  const container = document.body.appendChild(document.createElement('div'));
  const root = createRoot(container);
  const end = () => {
    root.unmount();
    container.remove();
  };
  root.render(<Question facts={facts} onClose={() => queueMicrotask(end)} />);
}
