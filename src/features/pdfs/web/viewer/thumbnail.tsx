import { type RefObject, useEffect, useRef } from 'react';
import { loadPdf, openPdf, paintThumbnail } from './pdfjs.ts';

/** Stays empty if painting fails; the viewer reports the error. */
function Sheet({
  paint,
  source,
}: {
  paint: (canvas: RefObject<HTMLCanvasElement | null>) => Promise<void>;
  source: unknown;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: paints again for another document
  useEffect(() => void paint(canvas).catch(() => undefined), [source]);
  return <canvas ref={canvas} className="pdf-thumb" />;
}

export default function Thumbnail({ id }: { id: string }) {
  return (
    <Sheet
      source={id}
      paint={async (canvas) => {
        const pdf = await loadPdf(id);
        if (canvas.current) await paintThumbnail(pdf, canvas.current);
      }}
    />
  );
}

export function LocalThumbnail({ file }: { file: File }) {
  return (
    <Sheet
      source={file}
      paint={async (canvas) => {
        const pdf = await openPdf(await file.arrayBuffer());
        if (canvas.current) await paintThumbnail(pdf, canvas.current);
        await pdf.loadingTask.destroy();
      }}
    />
  );
}
