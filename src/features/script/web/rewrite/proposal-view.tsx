import { useEffect, useRef } from 'react';
import { ProposalButtons } from '#features/texts/web/proposal-buttons.tsx';
import { m } from '#messages';
import { extractScreenplay } from '#shared/fountain/extract-screenplay.ts';
import { parsePlaced } from '#shared/fountain/parse-fountain.ts';
import { ScreenplayView } from '#ui/screenplay-view.tsx';
import type { RewriteRequest } from '../../contract.ts';

interface ProposalViewProps {
  request: RewriteRequest;
  text: string;
  running: boolean;
  obstacle: string | null;
  busy: boolean;
  onStop: () => void;
  onDecide: (decision: 'accepted' | 'discarded') => void;
}

function Side({ title, text, name }: { title: string; text: string; name: string }) {
  return (
    <section className="grid min-w-0 content-start gap-2" aria-label={title}>
      <p className="eyebrow">{title}</p>
      <div className="sp p-4 text-[0.8125rem] shadow-none">
        <ScreenplayView placed={parsePlaced(text).placed} name={name} />
      </div>
    </section>
  );
}

export function ProposalView({
  request,
  text,
  running,
  obstacle,
  busy,
  onStop,
  onDecide,
}: ProposalViewProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // The form that requested it is gone, so focus the result.
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <section className="sp-rewrite" aria-labelledby="proposal-title">
      <h4
        ref={heading}
        className="text-sm font-semibold focus-visible:outline-none"
        id="proposal-title"
        tabIndex={-1}
      >
        {m.script_proposal({
          instruction: request.instruction,
          wish: (text) => <span className="font-normal">{text}</span>,
        })}
      </h4>
      <div className="grid gap-4 xl:grid-cols-2">
        <Side title={m.script_proposal_now()} text={request.before} name="now" />
        <Side
          title={running ? m.script_proposal_writing() : m.script_proposal_new()}
          text={extractScreenplay(text)}
          name="proposed"
        />
      </div>
      {obstacle ? <p className="notice notice-warning">{obstacle}</p> : null}
      <ProposalButtons
        running={running}
        busy={busy}
        blocked={obstacle !== null}
        onStop={onStop}
        onDecide={onDecide}
      />
    </section>
  );
}
