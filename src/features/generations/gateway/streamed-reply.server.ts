import type { Buffer } from 'node:buffer';
import type { OutboundResponse } from '#platform/outbound/http-request.server.ts';
import { GatewayError } from './gateway-error.ts';
import { fromOutbound, upstreamIdOf } from './gateway-request.server.ts';
import type { ChatRequest, Citation, GatewayBounds, GatewayOutcome } from './gateway-types.ts';
import { IdleTimer } from './idle-timer.ts';
import { ReplyParser } from './reply-parser.server.ts';

const USAGE_WAIT_MS = 2_000;

/** The finish reason may have been in an event that was lost. */
const missingFinish = (lost: number) =>
  lost > 0
    ? new GatewayError('malformed', 'The gateway sent an event that cannot be read, and no finish reason')
    : new GatewayError('truncated', 'The gateway ended the reply without a finish reason');

export class StreamedReply {
  readonly #bounds: GatewayBounds;
  readonly #response: OutboundResponse;
  readonly #body: AsyncIterator<Buffer>;
  readonly #reader: ReplyParser;
  readonly #clock: IdleTimer;
  #timeout: GatewayError | null = null;

  constructor(request: ChatRequest, response: OutboundResponse, startedAt: number) {
    this.#bounds = request.bounds;
    this.#response = response;
    this.#body = response.body[Symbol.asyncIterator]();
    this.#reader = new ReplyParser(request.bounds, request.apiKey);
    this.#clock = new IdleTimer(startedAt + request.bounds.firstByteMs - performance.now(), () =>
      this.#cut(),
    );
    this.#clock.hold();
  }

  async next(): Promise<string | null> {
    if (this.#reader.complete) return null;
    this.#clock.resume();
    try {
      const { value, done } = await this.#body.next();
      return done ? null : this.#feed(value);
    } catch (error) {
      // An error after the finish reason does not matter: the reply is whole.
      const failure = this.#timeout ?? fromOutbound(error, true);
      if (this.#reader.finish === null) this.#reader.failure ??= failure;
      return null;
    } finally {
      this.#clock.hold();
    }
  }

  end(): string {
    return this.#reader.end();
  }

  /** Returns the thinking received since the last call. */
  takeThinking(): string {
    return this.#reader.takeThinking();
  }

  takeCitations(): Citation[] {
    return this.#reader.takeCitations();
  }

  outcome(): GatewayOutcome {
    const { finish, failure, usage, model, lost } = this.#reader;
    const upstreamId = (upstreamIdOf(this.#response) ?? this.#reader.upstreamId) || undefined;
    if (failure !== null || finish === null) {
      const error = failure ?? missingFinish(lost);
      error.usage = usage;
      error.upstreamId = upstreamId;
      throw error;
    }
    return { finish, usage, lost, model: model || undefined, upstreamId };
  }

  close(): void {
    this.#clock.stop();
    const { finish } = this.#reader;
    if (finish !== null && finish !== 'bound') this.#response.release();
    else this.#response.close();
  }

  #feed(bytes: Buffer): string {
    const { beats, comments, finish } = this.#reader;
    const text = this.#reader.feed(bytes);
    const reader = this.#reader;
    if (reader.finish !== null) {
      if (finish === null) this.#clock.restart(USAGE_WAIT_MS);
    } else if (reader.started) {
      // After the first token comments are no sign of life: a gateway that only reports being busy is cut off.
      if (reader.beats > beats) this.#clock.restart(this.#bounds.idleMs);
    } else if (reader.beats > beats || reader.comments > comments) {
      // Gateways keep queued requests alive with comments (protocols.md 2.2), up to the total time.
      this.#clock.restart(this.#bounds.firstByteMs);
    }
    return text;
  }

  #cut(): void {
    this.#timeout = this.#reader.started
      ? new GatewayError('timeout_idle', 'The gateway fell silent')
      : new GatewayError('timeout_first_byte', 'The gateway sent no token in time');
    this.#response.close();
  }
}
