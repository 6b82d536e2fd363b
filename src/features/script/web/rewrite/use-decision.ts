import { useState } from 'react';
import { useNavigate, useRevalidator } from 'react-router';
import type { WorkView } from '../../../works/contract.ts';
import { decideProposal } from '../../../works/web/api.ts';
import { type RewriteRequest, withProposal } from '../../contract.ts';
import { failed } from '../failed.ts';
import type { Source } from '../use-source.ts';

/**
 * What becomes of the proposal that is open.
 * @param text the script as it is here, which is saved before a part of it is replaced.
 */
export function useDecision(work: WorkView, text: string, saved: Source['saved']) {
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();
  const [busy, setBusy] = useState(false);
  const { proposal } = work;
  const request = proposal ? (proposal.request as unknown as RewriteRequest) : null;
  const content = proposal && request ? withProposal(text, request, proposal.content) : null;
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
      failed(error);
    }
    setBusy(false);
  };
  const obstacle =
    content === null ? 'This part of the script has been changed since. It can only be discarded.' : null;
  return { proposal, request, obstacle, busy, decide };
}
