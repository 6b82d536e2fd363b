import { useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { m } from '#messages';
import { type PreviewRequest, previewFramePath } from '#shared/preview-frame.ts';
import { Dialog } from '../dialog.tsx';
import type { PreviewKind } from './code-languages.ts';
import { markdownToHtml } from './markdown-to-html.ts';

interface PreviewProps {
  kind: PreviewKind;
  code: string;
}

/** Fetched as text, because a frame with an opaque origin cannot load our files. */
async function diagramProgram(): Promise<string> {
  const { default: address } = await import('@mermaid-js/tiny/dist/mermaid.tiny.js?url');
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${response.status}`);
  return response.text();
}

const pageOf = (markdown: string) =>
  `<style>body{max-width:46rem;margin:1rem auto;padding:0 1rem;font:1rem/1.6 system-ui,sans-serif}pre{overflow:auto}</style>${markdownToHtml(markdown)}`;

async function requestFor({ kind, code }: PreviewProps): Promise<PreviewRequest> {
  const problem = m.code_preview_failed();
  if (kind !== 'mermaid') return { kind: 'markup', code: kind === 'markdown' ? pageOf(code) : code, problem };
  return { kind, code, problem, library: await diagramProgram() };
}

/**
 * Ignores all messages from the frame. It has an opaque origin, runs no script of the code and reaches nothing; see
 * `preview-frame.server.ts`.
 */
function Frame(preview: PreviewProps) {
  const [failed, setFailed] = useState(false);
  const sent = useRef(false);
  const show = (frame: HTMLIFrameElement) => {
    // Send the code only once: the frame may load a foreign page afterwards.
    if (sent.current) return;
    sent.current = true;
    requestFor(preview).then(
      (request) => frame.contentWindow?.postMessage(request, '*'),
      () => setFailed(true),
    );
  };
  return (
    <>
      {failed ? <p role="alert">{m.common_connection_lost()}</p> : null}
      <iframe
        className="h-[min(36rem,65dvh)] w-full rounded-md border border-line"
        title={m.code_preview_frame()}
        sandbox="allow-scripts"
        src={previewFramePath}
        onLoad={(event) => show(event.currentTarget)}
      />
      <p className="fine">{m.code_preview_note()}</p>
    </>
  );
}

function Preview({ kind, code, onClose }: PreviewProps & { onClose: () => void }) {
  return (
    <Dialog title={m.code_preview()} className="dialog-wide" onClose={onClose}>
      {() => (
        <div className="dialog-body grid gap-3">
          <Frame kind={kind} code={code} />
        </div>
      )}
    </Dialog>
  );
}

/** Renders into a separate root, so that clicks in the dialog do not bubble to the text below. */
export function previewCode(preview: PreviewProps): void {
  const container = document.body.appendChild(document.createElement('div'));
  const root = createRoot(container);
  const end = () => {
    root.unmount();
    container.remove();
  };
  root.render(<Preview {...preview} onClose={() => queueMicrotask(end)} />);
}
