import { type ReactNode, useState } from 'react';
import type { Placed } from '../../../../shared/fountain/model.ts';
import type { WorkView } from '../../../works/contract.ts';
import { sceneId } from '../sheet/screenplay.tsx';
import { useLiveText } from '../sheet/use-live-text.ts';
import type { ScriptRuns } from '../use-script.ts';
import type { Source } from '../use-source.ts';
import { ProposalView } from './proposal-view.tsx';
import { RewriteForm, type RewriteWish } from './rewrite-form.tsx';
import { useDecision } from './use-decision.ts';

interface Rewriting {
  /** What stands at the end of a scene's heading. */
  tools(scene: number): ReactNode;
  /** What stands below it: the form that asks for it anew, or what came of that. */
  below(scene: number, placed: Placed[]): ReactNode;
  /** The scene stands in the proposal already. */
  folded(scene: number): boolean;
}

const focus = (id: string) => document.getElementById(id)?.focus();

interface RewritingParts {
  work: WorkView;
  runs: ScriptRuns;
  /** Label of the button that rewrites, with its price. */
  label: string;
  /** The script as it is here. */
  text: string;
  saved: Source['saved'];
  /** The version that is shown can be changed. */
  editable: boolean;
}

/** The way from a scene to the same in another form. */
export function useRewriting({ work, runs, label, text, saved, editable }: RewritingParts): Rewriting {
  const [asking, setAsking] = useState<number | null>(null);
  const [wish, setWish] = useState<RewriteWish | null>(null);
  const { rewriting, ended } = runs;
  const arriving = useLiveText(rewriting.live);
  const decision = useDecision(work, text, saved);
  const { proposal, obstacle, busy, decide } = decision;
  const request = editable ? decision.request : null;
  const { state } = work.version;
  const running = rewriting.phase !== 'idle';
  const writing = state === 'queued' || state === 'running';
  const open = editable && !writing && !running && proposal === null && text !== '';

  const proposed = (scene: number) => {
    if (!proposal || !request) return null;
    const late = ended?.id === proposal.generationId ? ended.text : '';
    const onDecide = (decision: 'accepted' | 'discarded') => {
      setAsking(null);
      setWish(null);
      void decide(decision).then(() => focus(sceneId('script', scene)));
    };
    return (
      <ProposalView
        request={request}
        text={arriving ?? (proposal.content || late)}
        running={running}
        obstacle={obstacle}
        busy={busy}
        onStop={rewriting.stop}
        onDecide={onDecide}
      />
    );
  };
  const form = (scene: number, placed: Placed[]) => (
    <RewriteForm
      placed={placed}
      scene={scene}
      label={label}
      busy={running}
      earlier={wish?.scene === scene ? wish : null}
      onSubmit={(wanted) => {
        setWish(wanted);
        // The server looks for the part in what it has.
        void saved().then((id) => id !== null && runs.rewrite(wanted, id));
      }}
      onClose={() => {
        setAsking(null);
        requestAnimationFrame(() => focus(`rewrite-${scene}`));
      }}
    />
  );
  return {
    below(scene, placed) {
      if (request) return request.scene === scene ? proposed(scene) : null;
      return editable && asking === scene ? form(scene, placed) : null;
    },
    tools: (scene) =>
      open && asking !== scene ? (
        <button
          id={`rewrite-${scene}`}
          type="button"
          className="btn btn-ghost sp-tool"
          onClick={() => setAsking(scene)}
        >
          Rewrite<span className="visually-hidden"> scene {scene + 1}</span>
        </button>
      ) : null,
    folded: (scene) => request?.scene === scene && request.block === null,
  };
}
