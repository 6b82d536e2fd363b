import { useRevalidator } from 'react-router';
import { toast } from '../../../client/page-events.ts';
import type { WorkView } from '../../works/contract.ts';
import { type Saving, useSaving } from '../../works/web/use-saving.ts';

export interface Source extends Saving {
  /** Saves before something is done with the text, which is not done with null: that it could not be is told. */
  saved(): Promise<string | null>;
}

/** The text of a script as it is edited here. */
export function useSource(work: WorkView | null): Source {
  const { revalidate } = useRevalidator();
  const saving = useSaving(work, () => void revalidate());
  const saved = async () => {
    const id = await saving.save();
    if (id === null)
      toast({
        title: 'Error',
        text: 'Your last changes could not be saved, so nothing was begun.',
        kind: 'danger',
      });
    return id;
  };
  return { ...saving, saved };
}
