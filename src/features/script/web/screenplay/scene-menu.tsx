import { Ellipsis } from 'lucide-react';
import { HandOverItems } from '#features/tools/web/hand-over-items.tsx';
import { m } from '#messages';
import { scenesOf } from '#shared/fountain/scenes.ts';
import { Menu } from '#ui/menu.tsx';

function sceneText(source: string, scene: number): string {
  const found = scenesOf(source)[scene];
  return found ? source.slice(found.from, found.to).trim() : '';
}

export default function SceneMenu({ text, scene }: { text: string; scene: number }) {
  const button = {
    variant: 'ghost' as const,
    size: 'icon' as const,
    'aria-label': m.handover_scene({ number: scene + 1 }),
    children: <Ellipsis size={16} strokeWidth={1.75} aria-hidden="true" />,
  };
  return (
    <Menu button={button} align="end">
      <HandOverItems to={['image', 'chat']} text={() => sceneText(text, scene)} />
    </Menu>
  );
}
