import { lazy, Suspense, useState } from 'react';
import { useNavigate, useRevalidator } from 'react-router';
import { isRunning } from '#features/generations/contract.ts';
import { useLiveText } from '#features/generations/web/live-text.ts';
import type { TextDetail } from '#features/texts/contract.ts';
import { decideProposal } from '#features/texts/web/texts-api.ts';
import type { Autosave } from '#features/texts/web/use-autosave.ts';
import { m } from '#messages';
import type { PlacedBlock } from '#shared/fountain/screenplay.ts';
import { Button } from '#ui/button.tsx';
import { sceneId } from '#ui/screenplay-view.tsx';
import { applyProposal, type RewriteRequest } from '../../contract.ts';
import type { ScriptRuns } from '../use-script-runs.ts';
import { ProposalView } from './proposal-view.tsx';
import { RewriteForm, type RewriteFormValues } from './rewrite-form.tsx';

/** @param text the local script, which is saved before a part of it is replaced. */
function useProposalDecision(
  work: TextDetail,
  text: string,
  save: Autosave['save'],
  onRefused: (error: unknown) => void,
) {
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();
  const [busy, setBusy] = useState(false);
  const { proposal } = work;
  const request = proposal ? (proposal.request as unknown as RewriteRequest) : null;
  const content = proposal && request ? applyProposal(text, request, proposal.content) : null;
  const decide = async (decision: 'accepted' | 'discarded') => {
    if (!proposal) return;
    setBusy(true);
    try {
      if ((await save()) === null) return setBusy(false);
      await decideProposal(
        work.id,
        proposal.id,
        decision === 'accepted' ? { decision, content: content ?? '' } : { decision },
      );
      await navigate(`/tools/script/${work.id}`, { replace: true });
      await revalidate();
    } catch (error) {
      onRefused(error);
    }
    setBusy(false);
  };
  const obstacle = content === null ? m.script_obstacle() : null;
  return { proposal, request, obstacle, busy, decide };
}

const SceneMenu = lazy(() => import('../screenplay/scene-menu.tsx'));

const focus = (id: string) => document.getElementById(id)?.focus();

interface SceneRewriteOptions {
  work: TextDetail;
  runs: ScriptRuns;
  label: string;
  text: string;
  save: Autosave['save'];
  editable: boolean;
  onRefused: (error: unknown) => void;
}

export function useSceneRewrite(options: SceneRewriteOptions) {
  const { work, runs, label, text, save, editable, onRefused } = options;
  const [formScene, setFormScene] = useState<number | null>(null);
  const [lastInput, setLastInput] = useState<RewriteFormValues | null>(null);
  const { rewriting } = runs;
  const liveText = useLiveText(rewriting.live);
  const decision = useProposalDecision(work, text, save, onRefused);
  const { proposal, obstacle, busy, decide } = decision;
  const request = editable ? decision.request : null;
  const { state } = work.version;
  const running = rewriting.busy;
  const writing = isRunning(state);
  const canRewrite = editable && !writing && !running && proposal === null && text !== '';

  const proposalView = (scene: number) => {
    if (!proposal || !request) return null;
    const { ended } = rewriting;
    const endedText = ended?.id === proposal.generationId ? ended.text : '';
    const onDecide = (decision: 'accepted' | 'discarded') => {
      setFormScene(null);
      setLastInput(null);
      void decide(decision).then(() => focus(sceneId('script', scene)));
    };
    return (
      <ProposalView
        request={request}
        text={liveText ?? (proposal.content || endedText)}
        running={running}
        obstacle={obstacle}
        busy={busy}
        onStop={rewriting.stop}
        onDecide={onDecide}
      />
    );
  };
  const form = (scene: number, placed: PlacedBlock[]) => (
    <RewriteForm
      placed={placed}
      scene={scene}
      label={label}
      busy={running}
      previous={lastInput?.scene === scene ? lastInput : null}
      onSubmit={(values) => {
        setLastInput(values);
        // Save first, because the server looks the part up in the stored version.
        void save().then((id) => id !== null && runs.rewrite(values, id));
      }}
      onClose={() => {
        setFormScene(null);
        requestAnimationFrame(() => focus(`rewrite-${scene}`));
      }}
    />
  );
  return {
    below(scene: number, placed: PlacedBlock[]) {
      if (request) return request.scene === scene ? proposalView(scene) : null;
      return editable && formScene === scene ? form(scene, placed) : null;
    },
    tools: (scene: number) => (
      <div className="flex flex-none items-center">
        {canRewrite && formScene !== scene ? (
          <Button id={`rewrite-${scene}`} variant="ghost" onClick={() => setFormScene(scene)}>
            {m.script_rewrite_scene({
              number: scene + 1,
              hidden: (text) => <span className="visually-hidden">{text}</span>,
            })}
          </Button>
        ) : null}
        {writing ? null : (
          <Suspense>
            <SceneMenu text={text} scene={scene} />
          </Suspense>
        )}
      </div>
    ),
    folded: (scene: number) => request?.scene === scene && request.block === null,
  };
}
