import { useEffect, useState } from 'react';
import { rememberPassword } from './document-passwords.ts';
import { loadPdf, type PDFDocumentProxy, passwordState } from './pdfjs.ts';

interface Shown {
  pdf: PDFDocumentProxy | null;
  failed: boolean;
  lock: 'needed' | 'wrong' | null;
}

const nothing: Shown = { pdf: null, failed: false, lock: null };

export function usePdf(id: string): Shown & { unlock: (password: string) => void } {
  const [state, setState] = useState<Shown & { id: string }>({ id, ...nothing });
  const [tries, setTries] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each try loads the document again
  useEffect(() => {
    let left = false;
    const tell = (shown: Partial<Shown>) => {
      if (!left) setState({ id, ...nothing, ...shown });
    };
    loadPdf(id).then(
      (pdf) => tell({ pdf }),
      (error: unknown) => {
        const lock = passwordState(error);
        tell({ lock, failed: lock === null });
      },
    );
    return () => {
      left = true;
    };
  }, [id, tries]);
  const unlock = (password: string) => {
    rememberPassword(id, password);
    setTries((count) => count + 1);
  };
  return { ...(state.id === id ? state : nothing), unlock };
}
