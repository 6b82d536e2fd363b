import { ArrowUp, Square } from 'lucide-react';

interface SendButtonProps {
  /** A reply is being written: sending waits, the button stops it. */
  busy: boolean;
  stopping: boolean;
  /** The message goes out as soon as its file is ready. */
  waiting: boolean;
  disabled: boolean;
  onStop: () => void;
  onStopWaiting: () => void;
}

/** Send and Stop share one place. */
export function SendButton(props: SendButtonProps) {
  const { busy, stopping, waiting, disabled, onStop, onStopWaiting } = props;
  if (busy) {
    return (
      <button
        key="stop"
        type="button"
        className="composer-send"
        aria-label="Stop generating"
        disabled={stopping}
        onClick={onStop}
      >
        <Square size={14} fill="currentColor" aria-hidden="true" />
      </button>
    );
  }
  if (waiting) {
    return (
      <button
        key="waiting"
        type="button"
        className="composer-send"
        aria-label="Sends when the file is ready. Press to wait with it"
        onClick={onStopWaiting}
      >
        <span className="spinner" aria-hidden="true" />
      </button>
    );
  }
  return (
    <button key="send" type="submit" className="composer-send" aria-label="Send message" disabled={disabled}>
      <ArrowUp size={18} strokeWidth={1.75} aria-hidden="true" />
    </button>
  );
}
