import { notifySignedOut } from '#client/page-events.ts';
import { ConnectionError, ProblemError } from '#client/problem-error.ts';
import { openRun, subscribeToRun } from '#features/generations/web/lazy-run-stream.ts';
import { LiveText } from '#features/generations/web/live-text.ts';
import type { RunOptions, RunRequest } from '#features/generations/web/run-stream.ts';
import { failureText, type StartedReply } from '../../contract.ts';
import { stopGeneration, toNotice } from './chat-api.ts';
import type { ChatAction, EndData, Message } from './chat-state.ts';

/** A run belongs to the server: leaving the page only ends the reading. */
interface Run {
  chatId: string;
  reply: string;
  question: string | null;
  generationId: string | null;
  live: LiveText;
  reading: AbortController;
  stopRequested: boolean;
  ended: boolean;
}

interface StreamHandlers {
  accepted?(data: StartedReply): void;
  refused(error: unknown): void;
}

type StartRequest = Pick<Run, 'chatId' | 'reply' | 'question' | 'live'> & { request: RunRequest };

const interruptedEnd = (id: string): EndData => ({
  id,
  state: 'interrupted',
  feature: 'chat',
  requestKey: '',
  creditsCharged: 0,
  finishReason: null,
  answeredBy: null,
  thoughtMs: null,
  error: { code: 'lost', message: failureText() },
  credits: null,
});

export class ReplyStreams {
  private readonly runs = new Set<Run>();
  private readonly dispatch: (action: ChatAction) => void;
  private readonly onEnd: (chatId: string, credits: number | null) => void;
  private closed = false;

  constructor(
    dispatch: (action: ChatAction) => void,
    onEnd: (chatId: string, credits: number | null) => void,
  ) {
    this.dispatch = dispatch;
    this.onEnd = onEnd;
  }

  async start(
    { request, chatId, reply, question, live }: StartRequest,
    handlers: StreamHandlers,
  ): Promise<void> {
    // Offline, fail at once instead of sending later without the person's knowledge.
    if (!navigator.onLine) return handlers.refused(new ConnectionError(new Error('The browser is offline.')));
    const run = this.add({ chatId, reply, question, live, generationId: null });
    const onStarted = (data: StartedReply) => {
      this.dispatch({ type: 'started', reply, question, data, now: new Date().toISOString() });
      handlers.accepted?.(data);
    };
    try {
      await openRun(request, this.options(run, onStarted));
    } catch (error) {
      if (run.generationId === null && !run.reading.signal.aborted) {
        this.runs.delete(run);
        handlers.refused(error);
        return;
      }
      this.handleLost(run, error);
    }
    this.runs.delete(run);
  }

  /** Follows a reply that was started elsewhere or before; one that is already being read keeps its text. */
  async follow(chatId: string, turn: Message & { generationId: string }): Promise<void> {
    const { key: reply, generationId, content, takenOver } = turn;
    const existing = [...this.runs].find((run) => run.generationId === generationId);
    if (existing) {
      existing.reply = reply;
      this.dispatch({ type: 'following', key: reply, live: existing.live });
      return;
    }
    const live = new LiveText(content, content.slice(0, takenOver));
    const run = this.add({ chatId, reply, question: null, live, generationId });
    this.dispatch({ type: 'following', key: reply, live: run.live });
    if (turn.stopping) this.stopRun(run);
    try {
      await subscribeToRun(generationId, this.options(run));
    } catch (error) {
      this.handleLost(run, error);
    }
    this.runs.delete(run);
  }

  isReading(chatId: string): boolean {
    return [...this.runs].some((run) => run.chatId === chatId);
  }

  /** A run that is not yet accepted is stopped as soon as it is. */
  stop(reply: string): void {
    const run = [...this.runs].find((other) => other.reply === reply);
    if (run?.stopRequested) return;
    this.dispatch({ type: 'stopping', reply });
    if (run) this.stopRun(run);
  }

  private stopRun(run: Run): void {
    run.stopRequested = true;
    if (run.generationId !== null) this.requestStop(run.generationId);
  }

  /** Stops reading, except for a message that is still being sent. */
  close(): void {
    this.closed = true;
    for (const run of this.runs) {
      if (run.generationId !== null) run.reading.abort();
    }
  }

  /** React mounts twice in development. */
  reopen(): void {
    this.closed = false;
  }

  private add(run: Omit<Run, 'reading' | 'stopRequested' | 'ended'>): Run {
    const fullRun = { ...run, reading: new AbortController(), stopRequested: false, ended: false };
    this.runs.add(fullRun);
    return fullRun;
  }

  private options(run: Run, onStarted?: (data: StartedReply) => void): RunOptions {
    return {
      signal: run.reading.signal,
      onThinking: (thinking) => run.live.setThinking(thinking),
      onEvent: (event) => {
        if (event.event === 'delta') run.live.append(event.data.text);
        else if (event.event === 'reset') run.live.reset(event.data.text);
        else if (event.event === 'end') this.end(run, event.data);
        else this.onAccepted(run, event.data as unknown as StartedReply, onStarted);
      },
    };
  }

  private onAccepted(run: Run, data: StartedReply, onStarted?: (data: StartedReply) => void) {
    run.generationId = data.generation.id;
    onStarted?.(data);
    if (run.stopRequested) this.requestStop(run.generationId);
    if (this.closed) run.reading.abort();
  }

  private requestStop(generationId: string) {
    stopGeneration(generationId).catch((error: unknown) => {
      const text = error instanceof Error ? error.message : failureText();
      this.dispatch({ type: 'notice', notice: { text, code: 'internal' } });
    });
  }

  private end(run: Run, data: EndData) {
    run.ended = true;
    const now = new Date().toISOString();
    const { chatId, reply, live } = run;
    const more = [...this.runs].some((other) => other.chatId === chatId && !other.ended);
    this.dispatch({ type: 'ended', chatId, reply, text: live.fullText, data, more, now });
    this.onEnd(run.chatId, data.credits);
  }

  private handleLost(run: Run, error: unknown) {
    if (run.ended || run.reading.signal.aborted) return;
    if (error instanceof ProblemError && error.status === 401) {
      const notice = toNotice(error, null);
      this.dispatch({ type: 'signed-out', reply: run.reply, text: run.live.fullText, notice });
      notifySignedOut();
      return;
    }
    this.end(run, interruptedEnd(run.generationId ?? ''));
  }
}
