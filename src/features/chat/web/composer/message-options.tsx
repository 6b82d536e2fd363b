import type { ChatProps } from '../state/chat-controls.ts';
import type { ChosenModel } from '../state/chosen-model.ts';
import { ModelPicker } from './model-picker.tsx';
import { WebSwitch } from './web-switch.tsx';

/** What a message can be sent with, where the operator offers it. */
export default function MessageOptions({
  chosen,
  ...props
}: ChatProps & { chosen: ChosenModel | undefined }) {
  return (
    <>
      <WebSwitch {...props} />
      {chosen ? <ModelPicker {...props} chosen={chosen} /> : null}
    </>
  );
}
