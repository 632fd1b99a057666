import type { Duplex } from 'node:stream';
import { MAX_UNSENT } from '@emu/apigateway-common';
import type { UpgradableConnection } from '@emu/core/service';
import type { WebSocket } from 'ws';

/** Maximum number of messages of a connection that wait or are processed; further ones wait in the network. */
const MAX_MESSAGES = 100;

/**
 * Messages of a connection, processed in order of arrival. Each waits for its own turn, so that the messages of one
 * connection delay neither those of others nor requests. Reading pauses while too many wait, and processing while the
 * client does not read its responses.
 */
export class MessageQueue {
  private waiting: string[] = [];
  private running = 0;
  /** Whether a message waits for its turn or has it. */
  private busy = false;
  /** Whether processing waits for the client to read. */
  private draining = false;

  /** The work after the last message. */
  private last: (() => void) | undefined;

  /**
   * @param stream the stream below the socket
   * @param receive processes a message; must not reject
   */
  constructor(
    private readonly socket: Pick<WebSocket, 'isPaused' | 'OPEN' | 'pause' | 'readyState' | 'resume'>,
    private readonly stream: Pick<Duplex, 'once' | 'writableLength' | 'writableNeedDrain'>,
    private readonly admit: UpgradableConnection['admit'],
    private readonly receive: (message: string) => Promise<void>,
  ) {}

  /** Adds a received message. Bytes that were read before a pause may contain further ones. */
  add(message: string): void {
    this.waiting.push(message);
    if (this.waiting.length + this.running >= MAX_MESSAGES) this.socket.pause();
    this.next();
  }

  /** Ends the queue. @param last called in its turn after all messages have been begun; must not throw */
  end(last: () => void): void {
    this.last = last;
    this.next();
  }

  private next(): void {
    if (this.busy) return;
    if (this.waiting.length > 0) {
      if (this.running >= MAX_MESSAGES || this.awaitsReader()) return;
      this.busy = true;
      this.admit(this.begin);
    } else if (this.last) {
      this.admit(this.last);
      this.last = undefined;
    }
  }

  /** Whether the client has to read responses first. A closed connection reads nothing. */
  private awaitsReader(): boolean {
    const { stream } = this;
    if (this.draining) return this.last === undefined;
    if (this.last || !stream.writableNeedDrain || stream.writableLength < MAX_UNSENT) return false;
    this.draining = true;
    stream.once('drain', () => {
      this.draining = false;
      this.next();
    });
    return true;
  }

  private readonly begin = (): void => {
    this.running++;
    void this.receive(this.waiting.shift()!).finally(() => {
      this.running--;
      this.readOn();
      this.next();
    });
    queueMicrotask(this.afterMicrotasks);
  };

  /** The ticks and microtasks of a message count towards the time of the turn. */
  private readonly afterMicrotasks = (): void =>
    process.nextTick(() => {
      this.busy = false;
      this.next();
    });

  private readOn(): void {
    const { socket } = this;
    if (this.waiting.length + this.running >= MAX_MESSAGES) return;
    if (socket.isPaused && socket.readyState === socket.OPEN) socket.resume();
  }
}
