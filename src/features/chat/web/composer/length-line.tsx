import { chatLimits } from '../../contract.ts';

export const lengthLineId = 'composer-length';

const number = new Intl.NumberFormat('en-US');

/** Says that the text is too long to be sent. `length` counts as the limit does, in UTF-16 units. */
export function LengthLine({ length }: { length: number }) {
  return (
    <p className="composer-length" id={lengthLineId}>
      <span role="alert">
        This message is too long to send. Nothing of it is lost: shorten it or send it in parts.
      </span>{' '}
      <span>
        {number.format(length)} of {number.format(chatLimits.messageLength)} characters
      </span>
    </p>
  );
}
