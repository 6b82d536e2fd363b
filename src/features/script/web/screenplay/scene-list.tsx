import { m } from '#messages';
import { unstyledText } from '#shared/fountain/inline-styles.ts';
import type { PlacedBlock } from '#shared/fountain/screenplay.ts';
import { sceneId } from './screenplay-view.tsx';

/** The focus moves too, so that the keyboard goes on from there. */
function jump(id: string): void {
  const heading = document.getElementById(id);
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  heading?.focus({ preventScroll: true });
  heading?.scrollIntoView({ behavior: still ? 'auto' : 'smooth', block: 'start' });
}

export function SceneList({ placed, name }: { placed: PlacedBlock[]; name: string }) {
  const scenes = placed.flatMap(({ block }) => (block.type === 'scene' ? [unstyledText(block.text)] : []));
  if (scenes.length === 0) return null;
  return (
    <nav className="sp-scenes" aria-label={m.script_scenes()}>
      <ol>
        {scenes.map((heading, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: scenes have no name but their place
          <li key={at}>
            <button type="button" className="sp-jump" onClick={() => jump(sceneId(name, at))}>
              <span className="sp-jump-number" aria-hidden="true">
                {at + 1}
              </span>
              <span dir="auto">{heading}</span>
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}
