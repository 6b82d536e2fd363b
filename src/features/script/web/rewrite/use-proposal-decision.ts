import { useState } from 'react';
import { useNavigate, useRevalidator } from 'react-router';
import type { TextDetail } from '#features/texts/contract.ts';
import { decideProposal } from '#features/texts/web/texts-api.ts';
import { m } from '#messages';
import { applyProposal, type RewriteRequest } from '../../contract.ts';
import type { ScriptSource } from '../use-script-source.ts';

/** @param text the script as it is here, which is saved before a part of it is replaced. */
export function useProposalDecision(
  work: TextDetail,
  text: string,
  saved: ScriptSource['saved'],
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
      if ((await saved()) === null) return setBusy(false);
      await decideProposal(
        work.id,
        proposal.id,
        decision === 'accepted' ? { decision, content: content ?? '' } : { decision },
      );
      await navigate(`/tools/script/${work.id}`, { preventScrollReset: true, replace: true });
      await revalidate();
    } catch (error) {
      onRefused(error);
    }
    setBusy(false);
  };
  const obstacle = content === null ? m.script_obstacle() : null;
  return { proposal, request, obstacle, busy, decide };
}
