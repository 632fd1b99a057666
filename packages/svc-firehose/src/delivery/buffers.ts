import { type Collection, DueTimers, type InterruptedWork, interruptedRecords, type Worker } from '@emu/core/service';
import { hasProcessors } from '../processing/processors.ts';
import type { Lane, PieceRecord } from '../records.ts';
import type { DeliveryScope, DeliveryStream } from '../registry.ts';
import { attempt } from './attempt.ts';
import { delimited, delimiterOf, hintsFor } from './hints.ts';
import type { Arrival, Batch, NewPiece, Piece } from './pieces.ts';

/** Pieces waiting for more of their lane. */
interface WaitingPieces {
  readonly stream: number;
  readonly lane: Lane;
  readonly keys: string[];
  bytes: number;
}

const DIGITS = 16;
const sizeOf = ({ data }: Piece): number => Math.floor((data.length * 3) / 4);

/**
 * Accepted records that are not delivered yet. A piece is stored until its delivery, which a restart repeats if
 * necessary: at least once.
 */
export class Buffers implements Worker {
  private readonly waiting = new Map<string, WaitingPieces>();
  private readonly timers: DueTimers;
  private upcoming = 0;
  private closed = false;

  constructor(
    private readonly state: DeliveryScope,
    private readonly pieces: Collection<PieceRecord>,
  ) {
    this.timers = new DueTimers(state.clock);
    for (const key of pieces.keys()) this.upcoming = Math.max(this.upcoming, Number(key) + 1);
  }

  /** Continues to buffer the waiting pieces, in order of arrival. After a failure they are dropped. */
  interrupted(): InterruptedWork[] {
    const buffers = new Map<string, string[]>();
    for (const key of [...this.pieces.keys()].sort()) {
      const name = bufferOf(this.pieces.get(key)!);
      buffers.set(name, [...(buffers.get(name) ?? []), key]);
    }
    return interruptedRecords(buffers, {
      name: (_, buffer) => `records of ${buffer}`,
      resume: (keys) => {
        for (const key of keys) {
          const piece = this.pieces.get(key);
          const stream = piece && this.state.streamOfNumber(piece.stream);
          if (stream) this.wait(stream, key, piece);
          else this.pieces.delete(key);
        }
        return undefined;
      },
      fail: (keys) => {
        for (const key of keys) this.pieces.delete(key);
      },
    });
  }

  close(): void {
    this.closed = true;
    this.timers.cancelAll();
  }

  /** Accepts records for a delivery stream. */
  accept(stream: DeliveryStream, arrivals: readonly Arrival[]): void {
    const { destination } = stream;
    const backup = backsUpAll(stream);
    const transformed = hasProcessors(destination.settings.ProcessingConfiguration);
    const delimiter = Buffer.from(delimiterOf(destination));
    const bytes = arrivals.reduce((sum, { data }) => sum + data.length, 0);
    this.state.report(stream.name, { IncomingBytes: bytes, IncomingRecords: arrivals.length });
    for (const { data, ...rest } of arrivals) {
      const source = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
      const text = source.toString('base64');
      if (backup) this.add(stream, { ...rest, lane: 'backup', data: text });
      if (transformed) this.add(stream, { ...rest, lane: 'transform', data: text });
      else this.add(stream, { ...rest, lane: 'deliver', data: delimited(source, delimiter) });
    }
  }

  /** Drops the waiting records of a delivery stream. */
  drop(stream: number): void {
    for (const [name, buffer] of [...this.waiting])
      if (buffer.stream === stream) {
        this.waiting.delete(name);
        this.timers.cancel(name);
      }
    for (const [key, piece] of [...this.pieces.entries()]) if (piece.stream === stream) this.pieces.delete(key);
  }

  /** Applies changed buffering hints to the waiting records of a delivery stream. */
  rearrange(stream: DeliveryStream): void {
    for (const [name, buffer] of this.waiting) {
      if (buffer.stream !== stream.number) continue;
      const { interval, bytes } = hintsFor(stream.destination, buffer.lane);
      const due = buffer.bytes >= bytes ? 0 : this.pieces.get(buffer.keys[0]!)!.since + interval;
      this.timers.set(name, due, () => this.empty(name));
    }
  }

  private add(stream: DeliveryStream, piece: NewPiece): void {
    const key = String(this.upcoming++).padStart(DIGITS, '0');
    const record = { ...piece, stream: stream.number, since: this.state.clock.now() };
    this.wait(stream, key, this.pieces.put(key, record));
  }

  /** Adds a piece to its buffer, which is flushed at its time or size limit. */
  private wait(stream: DeliveryStream, key: string, piece: Piece): void {
    const { lane } = piece;
    const hints = hintsFor(stream.destination, lane);
    const name = bufferOf(piece);
    let buffer = this.waiting.get(name);
    if (!buffer) {
      buffer = { stream: stream.number, lane, keys: [], bytes: 0 };
      this.waiting.set(name, buffer);
      this.timers.set(name, piece.since + hints.interval, () => this.empty(name));
    }
    buffer.keys.push(key);
    buffer.bytes += sizeOf(piece);
    if (buffer.bytes >= hints.bytes) void this.empty(name);
  }

  private empty(name: string): Promise<void> {
    const buffer = this.waiting.get(name)!;
    this.waiting.delete(name);
    this.timers.cancel(name);
    const { stream, lane } = buffer;
    // Pieces from before a restart may have been added after newer ones.
    const keys = buffer.keys.sort();
    return this.run({ stream, lane, keys, id: this.state.ids.uuid(), startedAt: this.state.clock.now(), attempts: 0 });
  }

  /** Attempts a batch once, and handles the outcome. */
  private async run(batch: Batch): Promise<void> {
    const stream = this.state.streamOfNumber(batch.stream);
    if (!stream) return;
    batch.attempts++;
    const pieces = batch.keys.map((key) => this.pieces.get(key)!);
    const outcome = await attempt(this.state, stream, batch, pieces);
    // The next state repeats what this one abandons.
    const now = this.closed ? undefined : this.state.streamOfNumber(batch.stream);
    if (!now) return;
    if ('retryIn' in outcome) {
      this.state.clock.after(outcome.retryIn, () => this.run(batch));
      return;
    }
    const { again } = outcome;
    const left = again ? batch.keys.filter((_, index) => again.indexes.has(index)) : [];
    for (const [index, key] of batch.keys.entries()) if (!again?.indexes.has(index)) this.pieces.delete(key);
    for (const piece of outcome.next) this.add(now, piece);
    if (again) this.state.clock.after(again.after, () => this.run({ ...batch, keys: left }));
  }
}

/** Name of the buffer of a piece. */
const bufferOf = ({ stream, lane, partition = '' }: Pick<Piece, 'stream' | 'lane' | 'partition'>): string =>
  `${stream} ${lane} ${partition}`;

/** Whether all records are backed up, delivered or not. */
function backsUpAll({ destination: { settings } }: DeliveryStream): boolean {
  return /^(All|Enabled)/.test(settings.S3BackupMode ?? '');
}
