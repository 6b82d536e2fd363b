import { ArrowUp } from 'lucide-react';
import { featureTable, welcomeCredits } from '../../../features/credits/contract.ts';

const lines = ['1', '2', '3', '4', '5', '6'].join('\n');

/** The debounce function, coloured as the chat colours it. */
function Code() {
  return (
    <code>
      <span className="hljs-keyword">export function</span> <span className="hljs-title">debounce</span>
      {'<'}
      <span className="hljs-type">A</span> <span className="hljs-keyword">extends</span>{' '}
      <span className="hljs-type">unknown</span>
      {'[]>(fn: (...a: '}
      <span className="hljs-type">A</span>
      {') => '}
      <span className="hljs-keyword">void</span>
      {', ms = '}
      <span className="hljs-number">200</span>
      {') {\n  '}
      <span className="hljs-keyword">let</span>
      {' t: '}
      <span className="hljs-type">ReturnType</span>
      {'<'}
      <span className="hljs-keyword">typeof</span>
      {' setTimeout>;\n  '}
      <span className="hljs-keyword">return</span>
      {' (...a: '}
      <span className="hljs-type">A</span>
      {') => {\n    '}
      <span className="hljs-title">clearTimeout</span>
      {'(t); '}
      <span className="hljs-comment">{'// drop the earlier call'}</span>
      {'\n    t = '}
      <span className="hljs-title">setTimeout</span>
      {'(() => '}
      <span className="hljs-title">fn</span>
      {'(...a), ms);\n  };'}
    </code>
  );
}

function Sidebar() {
  const left = 7;
  return (
    <div className="window-side">
      <span className="nav-item" aria-current="true">
        New chat
      </span>
      <span className="window-label">Today</span>
      <span className="nav-item">Cache keys for React Query</span>
      <span className="nav-item">Launch e-mail, casual tone</span>
      <span className="window-label">Yesterday</span>
      <span className="nav-item">Tenants’ meeting notes</span>
      <div className="window-plan">
        <p>
          <b>Free plan</b>
          <span>
            {left} of {welcomeCredits} left
          </span>
        </p>
        <progress className="meter" value={left} max={welcomeCredits} />
        <p className="muted">Chat uses {featureTable.chat.price} credit per message.</p>
      </div>
    </div>
  );
}

/** The chat as it looks, in the chat's own classes. A picture: nothing in it acts. */
export function ProductWindow() {
  return (
    <div
      className="window"
      role="img"
      aria-label="The chat: a question about debouncing in TypeScript, answered with a code block, beside the list of earlier chats."
    >
      <Sidebar />
      <div className="window-chat">
        <div className="window-thread">
          <p className="bubble">How do I debounce a function in TypeScript?</p>
          <div className="md mt-5">
            <p>
              Keep one timer in a closure and reset it on every call. The{' '}
              <span className="mark">last call wins</span>, and the types of the arguments are kept:
            </p>
            <div className="md-code">
              <div className="md-code-head">
                <span>typescript</span>
                <span className="pe-2">Copy</span>
              </div>
              <pre>
                <span className="md-lines">{lines}</span>
                <Code />
              </pre>
            </div>
          </div>
          <p className="window-actions">
            <span>Copy</span>
            <span>Regenerate</span>
          </p>
        </div>
        <div className="composer">
          <span className="composer-input text-fg-subtle">Message…</span>
          <span className="composer-send">
            <ArrowUp size={20} strokeWidth={1.75} />
          </span>
        </div>
      </div>
    </div>
  );
}
