import { useEffect, useRef } from 'react';
import { openPdf, paintThumbnail } from './library.ts';

/** The first page of a file of this computer; an empty sheet for one that cannot be shown. */
export default function LocalThumbnail({ file }: { file: File }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    let left = false;
    const paint = async () => {
      const pdf = await openPdf(await file.arrayBuffer());
      if (!left && canvas.current) await paintThumbnail(pdf, canvas.current);
      await pdf.loadingTask.destroy();
    };
    // What is the matter with the file is told by the server.
    paint().catch(() => undefined);
    return () => {
      left = true;
    };
  }, [file]);
  return <canvas ref={canvas} className="pdf-thumb" />;
}
